// The script of a thread that a test of mapOnThreads asks for lists of words. The word `fall` ends the thread.
import { answerQuestions } from '../../dist/base/threads/worker-thread.js'

answerQuestions((words) =>
  words.map((word) => {
    if (word === 'fall') throw new Error('it fell')
    return `${word} there`
  }),
)
