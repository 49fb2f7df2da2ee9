import { posix } from 'node:path'
import type { RubyImage } from './ruby-image.ts'
import { RubyMachine } from './ruby-machine.ts'
import { libraryPath } from './vm/distribution.ts'
import type { InputRead, RubyEvents } from './vm/ruby-engine.ts'
import { WebAssemblyEngine } from './vm/webassembly-engine.ts'
import { createOverlayDisk, createReadOnlyDisk, type Disk, toSystemPath } from './wasi/disk.ts'
import { type GuestFiles, mountFiles } from './wasi/guest-files.ts'

/**
 * Creates a machine in which Ruby sees only these files, by absolute path without leading `/`, and a clock that always
 * returns `seconds` since 1970. The machine's listener receives each input that Ruby reads. Ruby can write only in
 * `scratch`: disks by the absolute path of their folder without leading `/`.
 */
export function createRubySandbox(
  image: RubyImage,
  files: Readonly<Record<string, GuestFiles>>,
  seconds = 0,
  scratch: Readonly<Record<string, Disk>> = {},
): RubyMachine {
  const machine = new RubyMachine((events) => {
    const watched = Object.entries(files).map(([place, tree]) => [place, watchTree(events, place, tree)] as const)
    const readable = createReadOnlyDisk(mountFiles({ ...Object.fromEntries(watched), [libraryPath]: image.library }))
    const disk = Object.keys(scratch).length > 0 ? createOverlayDisk(readable, scratch) : readable
    const now = () => {
      events.look({ kind: 'clock', path: '', isRead: true })
      return BigInt(Math.trunc(events.seconds)) * 1_000_000_000n
    }
    return new WebAssemblyEngine(image, { disk, now }, events)
  })
  machine.setClock(seconds)
  return machine
}

function watchTree(events: RubyEvents, place: string, tree: GuestFiles): GuestFiles {
  const reportRead = (kind: InputRead['kind'], path: string, isRead: boolean) =>
    events.look({ kind, path: toSystemPath(posix.join(place, path)), isRead })
  return {
    entry(path) {
      reportRead('path', path, false)
      return tree.entry(path)
    },
    read(path) {
      reportRead('path', path, true)
      return tree.read(path)
    },
    list(path) {
      reportRead('folder', path, true)
      return tree.list(path)
    },
  }
}
