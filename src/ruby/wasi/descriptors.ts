import type { DiskFile } from './disk.ts'

/** Anything that Ruby has open under a number. */
export type Descriptor =
  | { readonly kind: 'input' | 'bridge' }
  | { readonly kind: 'output'; readonly isError: boolean }
  | { readonly kind: 'file'; readonly file: DiskFile; readonly appends: boolean; at: number }
  | { readonly kind: 'directory'; readonly path: string; names?: readonly string[] }

/** The number of the first folder that is open from the start; below it are standard input, output and error. */
export const firstOpened = 3

/** All that Ruby has open, by number. */
export class Descriptors {
  readonly #all: (Descriptor | undefined)[]
  readonly #opened: readonly string[]

  /** `opened`: folders that are open from the start. */
  constructor(opened: readonly string[]) {
    this.#opened = opened
    this.#all = [{ kind: 'input' }, { kind: 'output', isError: false }, { kind: 'output', isError: true }]
    for (const path of opened) this.#all.push({ kind: 'directory', path })
  }

  get(number: number): Descriptor | undefined {
    return this.#all[number]
  }

  set(number: number, descriptor: Descriptor | undefined): void {
    this.#all[number] = descriptor
  }

  /** The folder that is open from the start under a number. */
  opened(number: number): string | undefined {
    return this.#opened[number - firstOpened]
  }

  add(descriptor: Descriptor): number {
    let number = firstOpened + this.#opened.length
    while (this.#all[number]) number++
    this.#all[number] = descriptor
    return number
  }

  /** The number of the bridge; -1 where it is not open. */
  get bridge(): number {
    return this.#all.findIndex((each) => each?.kind === 'bridge')
  }
}
