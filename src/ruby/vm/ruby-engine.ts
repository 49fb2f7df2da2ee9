import { budgets } from '../../base/budgets/budgets.ts'

/** A read by Ruby of an input other than its arguments: a path, a folder, the clock, or a random number. */
export interface InputRead {
  readonly kind: 'path' | 'folder' | 'clock' | 'chance'
  /** Absolute path; empty for the clock and random numbers. */
  readonly path: string
  /** True if Ruby read the bytes of a file or the names in a folder. */
  readonly isRead: boolean
}

/** Called for each input that Ruby reads, before Ruby gets the result. */
export type InputReadListener = (sight: InputRead) => void

/** A method of the bridge in Ruby (prelude/90_bridge.rb) that takes a message. */
export type BridgeMethod = 'start' | 'resume' | 'alone'

/** A running Ruby that has loaded our prelude. Messages are JSON. Errors other than those of the caller are crashes. */
export interface RubyEngine {
  /** Sends a message to a method, runs Ruby, and returns its reply. */
  exchange(method: BridgeMethod, message: string): string
  /** Size of the memory in bytes; 0 if it is not limited by us. */
  readonly memorySize: number
  /** Ends Ruby. */
  close(): void
}

/** The machine's side of an engine: what Ruby asks while it runs. */
export interface RubyEvents {
  /** Returns the reply to a query that Ruby sends without leaving its current call. */
  answer(query: string): string
  print(text: string, isError: boolean): void
  readonly look: InputReadListener
  /** Time of the sandbox's clock, in seconds since 1970. */
  readonly seconds: number
}

/** Starts an engine for a machine. */
export type StartRuby = (events: RubyEvents) => RubyEngine

/** A crash of the interpreter, which must be replaced by a new interpreter. */
export class RubyCrash extends Error {}

/** Start of a message with a query that is answered at once. */
export const queryStart = '["at_once"'

/** Throws for a message that is too large or has too many parts. */
export function checkMessageSize(bytes: Uint8Array): void {
  const { rubyMessage, rubyMessageItems } = budgets.environment
  const { bound } = rubyMessageItems
  if (bytes.length > rubyMessage.bound) throw new RubyCrash(`it sent a message of more than ${rubyMessage.bound} bytes`)
  if (bytes.length > bound && countJsonCommas(bytes) > bound)
    throw new RubyCrash(`it sent a message of more than ${bound} values`)
}

function countJsonCommas(json: Uint8Array): number {
  let commas = 0
  let isText = false
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]
    if (byte === quote) isText = !isText
    else if (byte === backslash && isText) at++
    else if (byte === comma && !isText) commas++
  }
  return commas
}

const quote = 0x22
const comma = 0x2c
const backslash = 0x5c
