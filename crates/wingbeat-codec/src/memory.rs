//! Free memory, checked before lists grow.

use std::path::Path;

use crate::RecordError;

/// Bytes that an entry of a list or a table takes at most, while it grows into a larger copy.
const BYTES_PER_ENTRY: u128 = 200;

/// Counts below this fit into any machine: not worth asking the system for each.
pub(crate) const SMALL_COUNT: u128 = 1 << 16;

/// Refuses more entries than memory holds: individuals, names, times. Rows are put away in a file
/// instead. Where the system does not say how much there is, nothing is refused.
pub fn room_for(entries: u128, place: &str) -> Result<(), RecordError> {
    if entries < SMALL_COUNT {
        return Ok(());
    }
    let Some(available) = available_bytes() else { return Ok(()) };
    let most = available / BYTES_PER_ENTRY;
    if entries > most {
        let message =
            format!("{entries} entries: allowed is at most {most}, what the free memory holds");
        return Err(RecordError::data(place, message));
    }
    Ok(())
}

/// What is allowed in the place of something of so many bytes, in words, where memory does not hold
/// it; `None` where it does, or where the system does not say how much there is.
pub fn beyond_memory(bytes: u128) -> Option<String> {
    // So few fit anywhere: the system is not asked, which would open a file each time.
    let asked = (bytes >= SMALL_COUNT).then(available_bytes).flatten();
    let available = asked.filter(|&available| bytes > available)?;
    Some(format!("what the {:.1} GiB of free memory hold", available as f64 / (1u64 << 30) as f64))
}

/// Largest allocation, and on 32-bit targets what all of them together are taken to have: half of
/// the 4 GiB that have addresses, as the system keeps up to 2 GiB of them for itself.
const ADDRESSABLE: u128 = isize::MAX as u128;

/// Bytes the system can hand out without swapping, to the machine or, where that is less, to the
/// control group that this process is in (a container's limit, say), to this process (`ulimit -v`),
/// and at most half of the bytes that have addresses (2 GiB for a program of 32 bits); `None` where
/// it does not say.
pub fn available_bytes() -> Option<u128> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u128 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    let groups = std::fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let group = left_in_groups(&groups, Path::new("/sys/fs/cgroup"));
    [group, of_this_process()].into_iter().flatten().chain([kibibytes * 1024, ADDRESSABLE]).min()
}

/// What this process may still take of its address space.
#[cfg(not(target_family = "wasm"))]
fn of_this_process() -> Option<u128> {
    let own = |name: &str| {
        std::fs::read_to_string(Path::new("/proc/self").join(name)).unwrap_or_default()
    };
    left_of_address_space(&own("limits"), &own("status"))
}

/// Pages have no such files, and need not carry what reads them.
#[cfg(target_family = "wasm")]
fn of_this_process() -> Option<u128> {
    None
}

/// What a limit on the address space of this process leaves it, if there is one: `limits` and
/// `status` are what the files of these names in `/proc/self` say. A quarter of the limit is kept
/// for what is no boid: stacks of threads, and what the allocator of each reserves.
#[cfg(not(target_family = "wasm"))]
fn left_of_address_space(limits: &str, status: &str) -> Option<u128> {
    let after = |text: &str, name: &str| {
        let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
        rest.split_whitespace().next()?.parse::<u128>().ok()
    };
    let limit = after(limits, "Max address space")?;
    let taken = after(status, "VmSize:").unwrap_or(0) * 1024;
    Some((limit - limit / 4).saturating_sub(taken))
}

/// What the control groups of a process leave it: the least of its own and of all around it.
/// `groups` is what `/proc/self/cgroup` says, `root` where the groups are mounted.
/// <https://docs.kernel.org/admin-guide/cgroup-v2.html>
fn left_in_groups(groups: &str, root: &Path) -> Option<u128> {
    let left_in = |line: &str| {
        let mut parts = line.splitn(3, ':').skip(1);
        let (kinds, path) = (parts.next()?, parts.next()?);
        let (mount, names) = match kinds {
            "" => (root.to_path_buf(), ["memory.max", "memory.current", "inactive_file "]),
            _ if kinds.split(',').any(|kind| kind == "memory") => (
                root.join("memory"),
                ["memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file "],
            ),
            _ => return None,
        };
        // Inside a container the path may be that of the host, of which only the mount itself is
        // seen.
        let folders =
            Path::new(path.trim_start_matches('/')).ancestors().map(|folder| mount.join(folder));
        folders.filter_map(|folder| left_in_group(&folder, names)).min()
    };
    groups.lines().filter_map(left_in).min()
}

/// What one group has left, if it has a limit. Pages of files that are not in use are given back
/// when memory is needed.
fn left_in_group(folder: &Path, [limit, used, unused]: [&str; 3]) -> Option<u128> {
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).ok();
    let number = |text: &str| text.trim().parse::<u128>().ok();
    let limit = number(&read(limit)?)?;
    let used = read(used).as_deref().and_then(number).unwrap_or(0);
    let stat = read("memory.stat").unwrap_or_default();
    let unused =
        stat.lines().find_map(|line| line.strip_prefix(unused)).and_then(number).unwrap_or(0);
    Some(limit.saturating_sub(used.saturating_sub(unused)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// On 64-bit targets this says little; on 32-bit ones the machine mostly has more.
    #[test]
    fn no_more_is_available_than_has_addresses() {
        let available = available_bytes().unwrap_or(0);
        assert!(available <= usize::MAX as u128 / 2, "{available}");
        let refusal = room_for(usize::MAX as u128 / 2 / BYTES_PER_ENTRY + 1, "file")
            .map_err(|refusal| refusal.to_string());
        assert!(available == 0 || refusal.is_err_and(|refusal| refusal.contains("free memory")));
        let allowed = beyond_memory(u128::MAX);
        assert!(
            available == 0
                || allowed.is_some_and(|allowed| allowed.ends_with(" GiB of free memory hold"))
        );
        assert_eq!(beyond_memory(SMALL_COUNT), None);
    }

    #[test]
    fn limits_of_containers_count() {
        let lab = tempfile::tempdir().expect("a folder");
        let root = lab.path();
        let write = |folder: &str, files: &[(&str, &str)]| {
            std::fs::create_dir_all(root.join(folder)).expect("a folder");
            files.iter().for_each(|(name, text)| {
                std::fs::write(root.join(folder).join(name), text).expect("a file")
            });
        };
        // Version 2: the group has no limit, one around it has.
        write("user/run", &[("memory.max", "max\n"), ("memory.current", "5\n")]);
        let stat = "anon 600\ninactive_file 100\n";
        write(
            "user",
            &[("memory.max", "1000\n"), ("memory.current", "700\n"), ("memory.stat", stat)],
        );
        assert_eq!(left_in_groups("0::/user/run\n", root), Some(400));
        assert_eq!(left_in_groups("0::/other\n", root), None);
        // As a container sees it: its own group is the mount.
        write(".", &[("memory.max", "500\n"), ("memory.current", "600\n")]);
        assert_eq!(left_in_groups("0::/docker/abc\n", root), Some(0));
        // Version 1.
        let stat = "inactive_file 1\ntotal_inactive_file 20\n";
        write(
            "memory/box",
            &[
                ("memory.limit_in_bytes", "300\n"),
                ("memory.usage_in_bytes", "120\n"),
                ("memory.stat", stat),
            ],
        );
        assert_eq!(left_in_groups("5:cpu,cpuacct:/box\n4:memory:/box\n", root), Some(200));
        assert_eq!(left_in_groups("", root), None);
    }

    #[test]
    fn limits_of_the_process_count() {
        let limits = |soft: &str| {
            format!(
                "Max stack size  8388608  unlimited  bytes\n\
                Max address space  {soft}  unlimited  bytes\n"
            )
        };
        let status = "VmPeak:\t    9000 kB\nVmSize:\t    1000 kB\n";
        assert_eq!(left_of_address_space(&limits("8192000"), status), Some(6_144_000 - 1_024_000));
        assert_eq!(left_of_address_space(&limits("4096"), status), Some(0));
        assert_eq!(left_of_address_space(&limits("unlimited"), status), None);
        assert_eq!(left_of_address_space("", ""), None);
    }
}
