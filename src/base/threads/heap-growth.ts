import { setFlagsFromString } from 'node:v8'

/**
 * Lets the heaps of this process and its workers grow only to 1.4 times their live size before a
 * full collection. By default V8 allows up to four times, so that a worker would retain a hundred
 * MiB after a compilation.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString('--heap-growing-percent=40')
}

/** Restores V8's default heap growth. */
export function restoreHeapGrowth(): void {
  setFlagsFromString('--heap-growing-percent=0')
}
