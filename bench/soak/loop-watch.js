// Loaded into the server before it starts: how late its event loop was, since the last question and since the last mark.
import { monitorEventLoopDelay } from 'node:perf_hooks'

/** Milliseconds from one measurement to the next, which Node counts as a part of each. */
const resolution = 5
const [recent, phase] = [monitorEventLoopDelay({ resolution }), monitorEventLoopDelay({ resolution })]
const late = (measured) => Math.max(0, measured / 1e6 - resolution)
for (const each of [recent, phase]) each.enable()

process.on('message', (question) => {
  if (typeof question !== 'string') return
  process.send?.({
    question,
    longest: late(recent.max),
    p50: late(phase.percentile(50)),
    p99: late(phase.percentile(99)),
    max: late(phase.max),
  })
  recent.reset()
  if (question.startsWith('mark')) phase.reset()
})
process.channel?.unref()
