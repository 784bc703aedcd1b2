//! Many files in one call: jobs on several threads, a progress bar, one summary line. A file that fails does not stop
//! the others.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use indicatif::{HumanBytes, ProgressBar, ProgressStyle};

use crate::complain;
use crate::failure::Failure;

/// The number of units in which the progress of one file is counted.
pub(crate) const UNITS: u64 = 1000;

/// The result of a file.
#[derive(Debug)]
pub(crate) struct Done {
    /// The bytes of the original.
    pub(crate) before: u64,
    /// The bytes of the result.
    pub(crate) after: u64,
    /// The warnings for the user.
    pub(crate) notes: Vec<String>,
}

/// A file and the work on it.
pub(crate) trait Task: Sync {
    /// Returns the file that messages name.
    fn file(&self) -> &Path;

    /// Runs the task; `progress` receives the number of finished [`UNITS`].
    fn run(&self, progress: &mut dyn FnMut(u64)) -> Result<Done, Failure>;
}

/// The counts of a batch.
#[derive(Debug, Default)]
pub(crate) struct Summary {
    pub(crate) done: usize,
    pub(crate) failed: usize,
    /// The number of files in folders that are not images.
    pub(crate) skipped: usize,
    before: u64,
    after: u64,
    /// The highest exit code of a file.
    pub(crate) worst: u8,
}

impl Summary {
    /// Prints the reason and counts the file as failed.
    pub(crate) fn fail(&mut self, failure: &Failure) {
        complain(&failure.reason);
        self.failed += 1;
        self.worst = self.worst.max(failure.code);
    }

    fn add(&mut self, done: &Done) {
        self.done += 1;
        self.before += done.before;
        self.after += done.after;
    }

    /// Returns a line such as `24 images written, 1 failed, 3 skipped: 86.4 MiB → 12.1 MiB`.
    pub(crate) fn line(&self) -> String {
        let mut line = format!("{} {} written", self.done, if self.done == 1 { "image" } else { "images" });
        if self.failed > 0 {
            line += &format!(", {} failed", self.failed);
        }
        if self.skipped > 0 {
            line += &format!(", {} skipped because they are no images", self.skipped);
        }
        if self.done > 0 {
            line += &format!(": {} → {}", HumanBytes(self.before), HumanBytes(self.after));
        }
        line
    }
}

/// Runs all tasks on `jobs` threads and adds their results to the summary. Messages about one file are printed
/// together, at the end of its task.
pub(crate) fn run(tasks: &[impl Task], jobs: usize, summary: &mut Summary) {
    let bar = progress_bar(tasks.len());
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, tasks.len().max(1)) {
            let (sender, bar, next) = (sender.clone(), &bar, &next);
            scope.spawn(move || {
                while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let result = run_one(task, bar);
                    if sender.send((task, result)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        for (task, result) in receiver {
            bar.suspend(|| match result {
                Ok(done) => {
                    let file = task.file().display();
                    done.notes.iter().for_each(|note| complain(&format!("{file}: note: {note}")));
                    summary.add(&done);
                }
                Err(failure) => summary.fail(&failure.of(task.file())),
            });
        }
    });
    bar.finish_and_clear();
}

fn run_one(task: &impl Task, bar: &ProgressBar) -> Result<Done, Failure> {
    let mut reported = 0;
    let result = task.run(&mut |units| {
        bar.inc(units.saturating_sub(reported));
        reported = reported.max(units);
    });
    bar.inc(UNITS - reported.min(UNITS));
    result
}

/// Returns a bar on stderr, which is hidden when stderr is not a terminal.
fn progress_bar(files: usize) -> ProgressBar {
    let bar = ProgressBar::new(files as u64 * UNITS);
    let style = ProgressStyle::with_template("{wide_bar} {percent:>3}% of {msg}, {eta} left");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.set_message(format!("{files} {}", if files == 1 { "image" } else { "images" }));
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
