import { createReadStream } from 'node:fs'
import { isMissingFileError } from '../../base/system-error.ts'
import { mapCooperatively } from '../../base/threads/cooperative-tasks.ts'
import { Slots } from '../../base/threads/slots.ts'
import { type Files, getFileVersion } from '../../machine/system/system.ts'

/** Number of inventory bytes read at once. */
const readAtOnce = 256 * 1024

/** The serials that a CA has issued, read from its inventory. Later calls read only the lines added since. */
export class IssuedSerials {
  readonly #files: Pick<Files, 'stat'>
  readonly #inventory: string
  #serials = new Set<string>()
  #version = ''
  /** Number of bytes of complete lines read so far. */
  #read = 0
  readonly #refreshes = new Slots({ atOnce: 1 })

  constructor(files: Pick<Files, 'stat'>, inventory: string) {
    this.#files = files
    this.#inventory = inventory
  }

  async has(serial: bigint): Promise<boolean> {
    await this.#refreshes.run(() => this.#refresh())
    return this.#serials.has(serial.toString(16))
  }

  async #refresh(): Promise<void> {
    const stat = await this.#files.stat(this.#inventory)
    const version = stat ? getFileVersion(stat) : ''
    if (version === this.#version) return
    if ((stat?.size ?? 0) < this.#read) {
      this.#serials = new Set()
      this.#read = 0
    }
    await this.#take()
    this.#version = version
  }

  async #take(): Promise<void> {
    const chunks = createReadStream(this.#inventory, {
      start: this.#read,
      encoding: 'latin1',
      highWaterMark: readAtOnce,
    })
    let rest = ''
    try {
      for await (const chunk of chunks) {
        const lines = `${rest}${chunk}`.split('\n')
        rest = lines.pop() ?? ''
        await mapCooperatively(lines, (line) => {
          const [, serial] = /^0x([0-9a-f]+) /i.exec(line) ?? []
          if (serial !== undefined) this.#serials.add(serial.toLowerCase().replace(/^0+(?=.)/, ''))
          this.#read += line.length + 1
        })
      }
    } catch (error) {
      if (!isMissingFileError(error)) throw error
    }
  }
}
