import type { RubyDistribution } from './vm/distribution.ts'
import type { Snapshot } from './vm/snapshot.ts'
import { createMemoryFiles, type GuestFiles } from './wasi/guest-files.ts'

/** The binary, library and snapshot from which the machines of one thread are restored. */
export interface RubyImage {
  readonly module: WebAssembly.Module
  readonly library: GuestFiles
  readonly snapshot: Snapshot
}

/** Returns the image in a distribution, without copying it. */
export function toRubyImage({ module, library: { header, bytes }, snapshot }: RubyDistribution): RubyImage {
  const files = Object.entries(header).map(([path, [start, end]]) => [path, bytes.subarray(start, end)] as const)
  return { module, library: createMemoryFiles(new Map(files)), snapshot }
}
