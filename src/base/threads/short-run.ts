import { setFlagsFromString } from 'node:v8'
import { forgetSmallHeaps, keepHeapsSmall } from './small-heaps.ts'

/**
 * V8 in a process that is over in a second: code that is made fast in the background is seldom used before the end, and room
 * for new objects that grows to 16 MiB is memory that nobody needs. A run of 300 files takes a quarter less of a processor
 * and 14 MiB less.
 */
const short = ['--no-opt', '--semi-space-growth-factor=1']

/** V8 as it is by itself. Code that was compiled for the one is not taken by the other. */
const usual = ['--opt', '--semi-space-growth-factor=2']

/** Milliseconds after which a run has so much to do that fast code is worth its making. */
const shortMs = 3000

let isShort = false

/** Tunes V8 for a short run. A run that takes longer gets optimized code and a heap that is collected while it is small. */
export function beginShortRun(): void {
  isShort = true
  for (const flag of short) setFlagsFromString(flag)
  const becomeLong = () => {
    if (!isShort) return
    setFlagsFromString('--opt')
    keepHeapsSmall()
  }
  setTimeout(becomeLong, shortMs).unref()
}

/** Has V8 as it is by itself: much is going to be loaded, such as Ruby. */
export function endShortRun(): void {
  if (!isShort) return
  isShort = false
  for (const flag of usual) setFlagsFromString(flag)
  forgetSmallHeaps()
}
