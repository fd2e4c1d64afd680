//! Where answers go.

use tokio::sync::mpsc::UnboundedSender;
use wingbeat_session::Answer;

/// Where the answer to a request goes. Dropped unused, as by an engine that ends, it says that none
/// will come.
#[derive(Debug)]
pub struct Reply {
    id: u32,
    answers: Option<UnboundedSender<Option<Answer>>>,
}

impl Reply {
    /// Answers to the request of this number go to `answers`.
    pub fn new(id: u32, answers: UnboundedSender<Option<Answer>>) -> Self {
        Self { id, answers: Some(answers) }
    }

    /// Sends the answer, or the line that says why the request was refused.
    pub fn send(mut self, answer: Result<Answer, String>) {
        let answer = answer.unwrap_or_else(Answer::refused);
        if let Some(answers) = self.answers.take() {
            // A viewer that has gone meanwhile needs no answer.
            let _ = answers.send(Some(Answer { id: self.id, ..answer }));
        }
    }
}

impl Drop for Reply {
    fn drop(&mut self) {
        if let Some(answers) = self.answers.take() {
            let _ = answers.send(None);
        }
    }
}
