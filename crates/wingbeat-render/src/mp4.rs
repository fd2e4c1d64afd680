//! Films as MP4, by an ffmpeg that is installed: it gets raw pictures on its standard input.

use std::ffi::OsStr;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};

use crate::{Image, RenderError};

/// Windows' flag of a process that Ctrl-C of the console it was started from does not reach.
#[cfg(windows)]
const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;

/// A film that is being made. Dropped before it is finished, it ends ffmpeg; what that wrote is the
/// caller's to remove.
#[derive(Debug)]
pub struct Mp4Writer {
    child: Child,
    input: Option<ChildStdin>,
}

/// Whether there is an ffmpeg, to be asked before hours of drawing.
///
/// # Errors
/// When there is none; the message says how to get one.
pub fn check() -> Result<(), RenderError> {
    let mut command = Command::new("ffmpeg");
    let output =
        command.arg("-version").stdin(Stdio::null()).output().map_err(|error| no_start(&error))?;
    let failed = || RenderError::Failed(format!("ffmpeg -version ends with {}", output.status));
    if output.status.success() { Ok(()) } else { Err(failed()) }
}

fn no_start(error: &io::Error) -> RenderError {
    if error.kind() != io::ErrorKind::NotFound {
        return RenderError::Failed(format!("ffmpeg cannot be started: {error}"));
    }
    RenderError::Missing(
        "ffmpeg, which makes MP4 films, is not installed: apt install ffmpeg, brew install ffmpeg \
         or winget install ffmpeg \
         brings it; a GIF or a sequence of PNGs needs nothing"
            .into(),
    )
}

impl Mp4Writer {
    /// Begins a film of pictures of this size, both sides even, so many a second, 0.1 to 1000.
    /// H.264, as every player knows.
    ///
    /// # Errors
    /// When there is no ffmpeg, or it does not start.
    pub fn start(path: &Path, [width, height]: [u32; 2], rate: f64) -> Result<Self, RenderError> {
        if width % 2 == 1 || height % 2 == 1 {
            return Err(RenderError::value(
                "size",
                format!("{width}x{height}"),
                "even numbers of pixels for an MP4",
            ));
        }
        let (size, rate) = (format!("{width}x{height}"), rate.to_string());
        let mut command = Command::new("ffmpeg");
        command.args([
            "-hide_banner",
            "-loglevel",
            "error",
            "-nostdin",
            "-y",
            "-f",
            "rawvideo",
            "-pixel_format",
            "rgba",
        ]);
        command.args([
            "-video_size",
            &size,
            "-framerate",
            &rate,
            "-i",
            "pipe:0",
            "-an",
            "-c:v",
            "libx264",
        ]);
        command.args([
            "-preset",
            "medium",
            "-crf",
            "18",
            "-pix_fmt",
            "yuv420p",
            "-movflags",
            "+faststart",
            "-f",
            "mp4",
        ]);
        command
            .arg(path.as_os_str() as &OsStr)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        // Ctrl-C in a terminal goes to the whole group: it is for us to say when the film ends.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        #[cfg(windows)]
        std::os::windows::process::CommandExt::creation_flags(
            &mut command,
            CREATE_NEW_PROCESS_GROUP,
        );
        let mut child = command.spawn().map_err(|error| no_start(&error))?;
        let input = child.stdin.take();
        Ok(Self { child, input })
    }

    /// Adds a picture.
    ///
    /// # Errors
    /// When ffmpeg takes no more; the message is its own.
    pub fn frame(&mut self, image: &Image) -> Result<(), RenderError> {
        let written = self.input.as_mut().map(|input| input.write_all(image.pixels()));
        match written {
            Some(Ok(())) => Ok(()),
            _ => Err(self.fault()),
        }
    }

    /// Makes the film whole.
    ///
    /// # Errors
    /// When ffmpeg fails; the message is its own.
    pub fn finish(mut self) -> Result<(), RenderError> {
        drop(self.input.take());
        match self.child.wait() {
            Ok(status) if status.success() => Ok(()),
            _ => Err(self.fault()),
        }
    }

    /// What ffmpeg says is wrong, its last line.
    fn fault(&mut self) -> RenderError {
        drop(self.input.take());
        let mut said = Vec::new();
        if let Some(mut errors) = self.child.stderr.take() {
            // Without a message there is still its end to report.
            let _ = errors.read_to_end(&mut said);
        }
        let said = String::from_utf8_lossy(&said).into_owned();
        let line = said
            .lines()
            .rev()
            .map(str::trim)
            .find(|line| !line.is_empty())
            .unwrap_or("it ended without a message");
        RenderError::Failed(format!("ffmpeg could not make the film: {line}"))
    }
}

impl Drop for Mp4Writer {
    fn drop(&mut self) {
        if self.input.take().is_some() {
            // Given up: what it has is half a film. One that has ended already cannot be killed.
            let _ = self.child.kill();
        }
        let _ = self.child.wait();
    }
}
