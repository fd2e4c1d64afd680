//! The host's pointers, and the only code that follows them.

use std::ffi::{CStr, c_char};
use std::slice;

use crate::status::{Failure, WingbeatStatus};

/// Stands for what the header asks of a caller: every pointer is NULL or points to as many
/// values as are said to be there, which no other thread writes during the call; texts end in NUL.
///
/// What is read through it lives no longer than it, and so no longer than the call.
pub(crate) struct Caller(());

impl Caller {
    /// # Safety
    /// All pointers that are given to the methods of this value come from one call of the host's,
    /// and are as the type says, until the value is dropped.
    pub unsafe fn promises() -> Self {
        Self(())
    }

    /// An array of the host's; NULL where it has no values.
    pub fn array<T: Copy>(
        &self,
        what: &str,
        data: *const T,
        count: usize,
    ) -> Result<&[T], Failure> {
        if count == 0 {
            return Ok(&[]);
        }
        usable(what, data)?;
        if count > isize::MAX as usize / size_of::<T>() {
            return Err(Failure::size(format!(
                "{what}: {count} values: allowed is what memory holds"
            )));
        }
        // SAFETY: `promises`: there are `count` values at `data`; it is neither null nor
        // misaligned, and they fit into memory.
        Ok(unsafe { slice::from_raw_parts(data, count) })
    }

    /// An array that may be left out.
    pub fn array_or_none<T: Copy>(
        &self,
        what: &str,
        data: *const T,
        count: usize,
    ) -> Result<Option<&[T]>, Failure> {
        if data.is_null() { Ok(None) } else { self.array(what, data, count).map(Some) }
    }

    /// One value of the host's, which may be left out.
    pub fn value_or_none<T: Copy>(&self, what: &str, data: *const T) -> Result<Option<T>, Failure> {
        Ok(self.array_or_none(what, data, 1)?.map(|values| values[0]))
    }

    /// A text of the host's.
    pub fn text(&self, what: &str, text: *const c_char) -> Result<&str, Failure> {
        usable(what, text)?;
        // SAFETY: `promises`: the text ends in NUL; it is not null.
        let bytes = unsafe { CStr::from_ptr(text) };
        bytes.to_str().map_err(|_| Failure::invalid(format!("{what}: allowed is UTF-8 text")))
    }

    /// A text that may be left out.
    pub fn text_or_none(&self, what: &str, text: *const c_char) -> Result<Option<&str>, Failure> {
        if text.is_null() { Ok(None) } else { self.text(what, text).map(Some) }
    }

    /// Whether a value can be written there.
    pub fn can_write<T>(&self, what: &str, out: *mut T) -> Result<(), Failure> {
        usable(what, out)
    }

    /// Writes a value.
    pub fn write<T: Copy>(&self, what: &str, out: *mut T, value: T) -> Result<(), Failure> {
        usable(what, out)?;
        // SAFETY: `promises`: there is room for a value at `out`, which is neither null nor
        // misaligned.
        unsafe { out.write(value) };
        Ok(())
    }

    /// Writes values into room for `capacity` of them, all or none, and tells in `needed`, unless
    /// that is NULL, how many they are. Without room (NULL and 0) they are only counted.
    pub fn write_all<T: Copy>(
        &self,
        values: &[T],
        room: *mut T,
        capacity: usize,
        needed: *mut usize,
    ) -> Result<(), Failure> {
        if !needed.is_null() {
            self.write("needed", needed, values.len())?;
        } else if room.is_null() {
            return Err(null("needed"));
        }
        if room.is_null() && capacity == 0 {
            return Ok(());
        }
        usable("room", room)?;
        if capacity < values.len() {
            let what = if size_of::<T>() == 1 { "bytes" } else { "values" };
            return Err(Failure::size(format!(
                "room for {capacity} {what}: allowed is {} and more",
                values.len()
            )));
        }
        // SAFETY: `promises`: there is room for `capacity` values at `room`, as many as are written
        // or more, and none of it is this library's, so that it does not overlap `values`.
        unsafe { room.copy_from_nonoverlapping(values.as_ptr(), values.len()) };
        Ok(())
    }

    /// The same for a text and its final NUL.
    pub fn write_text(
        &self,
        text: &str,
        room: *mut c_char,
        capacity: usize,
        needed: *mut usize,
    ) -> Result<(), Failure> {
        // A text that held a NUL would end there for C.
        let mut bytes: Vec<u8> = text.bytes().filter(|&byte| byte != 0).collect();
        bytes.push(0);
        self.write_all(&bytes, room.cast(), capacity, needed)
    }
}

fn null(what: &str) -> Failure {
    Failure::new(WingbeatStatus::WingbeatErrorNull, format!("{what} = NULL: allowed is a pointer"))
}

/// Refuses what must not be followed.
fn usable<T>(what: &str, data: *const T) -> Result<(), Failure> {
    if data.is_null() {
        return Err(null(what));
    }
    if !data.is_aligned() {
        let text =
            format!("{what}: allowed is a pointer to a multiple of {} bytes", align_of::<T>());
        return Err(Failure::new(WingbeatStatus::WingbeatErrorNull, text));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ptr;

    fn caller() -> Caller {
        // SAFETY: the tests' pointers are null, misaligned, or of arrays that are there.
        unsafe { Caller::promises() }
    }

    fn refused<R>(done: Result<R, Failure>) -> WingbeatStatus {
        done.map_or_else(|failure| failure.status, |_| WingbeatStatus::WingbeatOk)
    }

    #[test]
    fn pointers_that_must_not_be_followed_are_refused() {
        let caller = caller();
        let numbers = [1.0f32, 2.0];
        assert_eq!(caller.array("rows", numbers.as_ptr(), 2).expect("an array"), numbers);
        assert!(caller.array("rows", ptr::null::<f32>(), 0).expect("nothing").is_empty());
        let askew = numbers.as_ptr().cast::<u8>().wrapping_add(1).cast::<f32>();
        for (data, count) in [(ptr::null(), 1), (ptr::null(), usize::MAX), (askew, 1)] {
            assert_eq!(
                refused(caller.array("rows", data, count)),
                WingbeatStatus::WingbeatErrorNull
            );
        }
        assert_eq!(
            refused(caller.array("rows", numbers.as_ptr(), usize::MAX)),
            WingbeatStatus::WingbeatErrorSize
        );
        assert_eq!(refused(caller.text("key", ptr::null())), WingbeatStatus::WingbeatErrorNull);
        assert_eq!(
            refused(caller.text("key", c"\xff".as_ptr())),
            WingbeatStatus::WingbeatErrorInvalid
        );
        assert_eq!(caller.text("key", c"ä".as_ptr()), Ok("ä"));
        assert_eq!(
            refused(caller.write("out", ptr::null_mut(), 1u64)),
            WingbeatStatus::WingbeatErrorNull
        );
        assert_eq!(
            refused(caller.write("out", askew.cast_mut(), 1.0)),
            WingbeatStatus::WingbeatErrorNull
        );
    }

    #[test]
    fn room_that_is_too_small_stays_as_it_is() {
        let caller = caller();
        let (mut room, mut needed) = ([7u8; 4], 0);
        assert_eq!(
            refused(caller.write_all(&[1; 5], room.as_mut_ptr(), 4, &mut needed)),
            WingbeatStatus::WingbeatErrorSize
        );
        assert_eq!((room, needed), ([7; 4], 5));
        assert_eq!(
            refused(caller.write_all(&[1; 3], room.as_mut_ptr(), 4, ptr::null_mut())),
            WingbeatStatus::WingbeatOk
        );
        assert_eq!(room, [1, 1, 1, 7]);
        assert_eq!(
            refused(caller.write_all(&[1; 9], ptr::null_mut(), 0, &mut needed)),
            WingbeatStatus::WingbeatOk
        );
        assert_eq!(needed, 9);
        assert_eq!(
            refused(caller.write_all(&[1; 9], ptr::null_mut(), 9, &mut needed)),
            WingbeatStatus::WingbeatErrorNull
        );
        assert_eq!(
            refused(caller.write_all(&[1; 9], ptr::null_mut(), 0, ptr::null_mut())),
            WingbeatStatus::WingbeatErrorNull
        );
        let mut text = [7 as c_char; 4];
        assert_eq!(
            refused(caller.write_text("a\0bc", text.as_mut_ptr(), 3, &mut needed)),
            WingbeatStatus::WingbeatErrorSize
        );
        assert_eq!(
            refused(caller.write_text("a\0bc", text.as_mut_ptr(), 4, &mut needed)),
            WingbeatStatus::WingbeatOk
        );
        assert_eq!((text.map(|byte| byte as u8), needed), (*b"abc\0", 4));
    }
}
