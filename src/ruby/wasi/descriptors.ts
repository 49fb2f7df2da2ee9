import type { DiskFile } from './disk.ts'

/** An open file of Ruby. */
export type Descriptor =
  | { readonly kind: 'input' | 'bridge' }
  | { readonly kind: 'output'; readonly isError: boolean }
  | { readonly kind: 'file'; readonly file: DiskFile; readonly appends: boolean; at: number }
  | { readonly kind: 'directory'; readonly path: string; names?: readonly string[] }

/** Descriptor of the first preopened folder, after standard input, output and error. */
export const firstOpenDescriptor = 3

/** Ruby's open files by descriptor. */
export class Descriptors {
  readonly #all: (Descriptor | undefined)[]
  readonly #opened: readonly string[]

  /** `opened`: preopened folders. */
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

  /** Returns the preopened folder with this descriptor. */
  opened(number: number): string | undefined {
    return this.#opened[number - firstOpenDescriptor]
  }

  add(descriptor: Descriptor): number {
    let number = firstOpenDescriptor + this.#opened.length
    while (this.#all[number]) number++
    this.#all[number] = descriptor
    return number
  }

  /** Descriptor of the bridge; -1 if it is not open. */
  get bridge(): number {
    return this.#all.findIndex((each) => each?.kind === 'bridge')
  }
}
