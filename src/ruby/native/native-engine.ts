import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { closeSync, constants, existsSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { budgets } from '../../base/budgets/budgets.ts'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { isSingleExecutable, provideProgramFolder } from '../../base/program/program-files.ts'
import { puppetVersion } from '../../base/puppet-version.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import { rubyBuildFolder } from '../vm/distribution.ts'
import {
  type BridgeMethod,
  checkMessageSize,
  queryStart,
  RubyCrash,
  type RubyEngine,
  type RubyEvents,
} from '../vm/ruby-engine.ts'

const issues = defineIssues({
  NATIVE_RUBY_MISSING: {
    text: (a: { program: string }) => `Could not start '${a.program}' as the Ruby of modules (ruby_provider = native)`,
    hint: () => 'Install Ruby 3.1 or later, or set ruby_path to its program, or set ruby_provider = builtin.',
  },
  NATIVE_RUBY_UNUSABLE: {
    text: (a: { program: string; why: string }) => `The Ruby of '${a.program}' cannot run modules: ${a.why}`,
    hint: () => 'Install Ruby 3.1 or later, or set ruby_path to its program, or set ruby_provider = builtin.',
  },
})

/** An installed Ruby, and the memory in which other threads find the process. */
export interface NativeRuby {
  /** Name or path of the program; empty for the Ruby of the Puppet agent, or else the one in `PATH`. */
  readonly program: string
  /** Holds the process ID of a running Ruby, or 0. A thread that waits for Ruby can only be ended by killing it. */
  readonly process: Int32Array
}

const puppetsRuby = '/opt/puppetlabs/puppet/bin/ruby'
const lineEnd = 0x0a
const mostBytes = budgets.environment.rubyMessage.bound

/**
 * A Ruby that is installed on this machine, as a child process that loads the same prelude (prelude-node/native/).
 * Messages are lines in two named pipes, which this thread reads and writes synchronously. A reply starts with the number
 * of its call, an answer with the number of its query.
 */
export class NativeEngine implements RubyEngine {
  readonly memorySize = 0
  readonly #events: RubyEvents
  readonly #native: NativeRuby
  readonly #child: ChildProcess
  readonly #input: number
  readonly #output: number
  readonly #buffer = Buffer.alloc(1 << 16)
  #rest: Buffer = Buffer.alloc(0)
  #calls = 0
  #isOpen = true

  /** Starts Ruby. Throws NATIVE_RUBY_MISSING or NATIVE_RUBY_UNUSABLE. */
  constructor(native: NativeRuby, env: Readonly<Record<string, string>>, events: RubyEvents) {
    this.#events = events
    this.#native = native
    const program = native.program || (existsSync(puppetsRuby) ? puppetsRuby : 'ruby')
    const { child, input, output } = openChild(program, env)
    this.#child = child
    this.#input = input
    this.#output = output
    if (child.pid === undefined) {
      this.close()
      throwIssue(issues.NATIVE_RUBY_MISSING, { program })
    }
    Atomics.store(native.process, 0, child.pid)
    const failure = this.#readGreeting()
    if (failure !== null) {
      this.close()
      throwIssue(issues.NATIVE_RUBY_UNUSABLE, { program, why: failure })
    }
  }

  exchange(method: BridgeMethod, message: string): string {
    const call = ++this.#calls
    this.#write(`${method} ${call}\n${message}\n`)
    for (;;) {
      const line = this.#readLine()
      const end = line.indexOf(' ')
      const [number, text] = [line.slice(0, end), line.slice(end + 1)]
      if (text.startsWith(queryStart)) this.#write(`${number} ${this.#events.answer(text)}\n`)
      else if (number === String(call)) return text
      // A line of module code, or a late reply, must never be the reply of another call.
      else throw new RubyCrash('it sent an invalid message')
    }
  }

  /** Ends Ruby, not the programs that it has left running. */
  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    Atomics.store(this.#native.process, 0, 0)
    closeSync(this.#input)
    closeSync(this.#output)
    if (this.#child.pid !== undefined) this.#child.kill('SIGKILL')
  }

  /** Returns the reason why this Ruby cannot be used; null if it is ready. */
  #readGreeting(): string | null {
    try {
      return JSON.parse(this.#readLine()) as string | null
    } catch {
      return 'it ended while it loaded our code'
    }
  }

  #write(text: string): void {
    const bytes = Buffer.from(text)
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#input, bytes, at)
    } catch {
      throw new RubyCrash('its process ended')
    }
  }

  /** Reads up to the end of a line. What follows belongs to the next line. */
  #readLine(): string {
    const pieces: Buffer[] = []
    let size = 0
    let piece = this.#rest
    let end = piece.indexOf(lineEnd)
    while (end === -1) {
      pieces.push(piece)
      size += piece.length
      if (size > mostBytes) throw new RubyCrash(`it sent a message of more than ${mostBytes} bytes`)
      piece = this.#readPiece()
      end = piece.indexOf(lineEnd)
    }
    this.#rest = piece.subarray(end + 1)
    const line = Buffer.concat([...pieces, piece.subarray(0, end)])
    checkMessageSize(line)
    return line.toString()
  }

  #readPiece(): Buffer {
    const count = readSync(this.#output, this.#buffer)
    if (count === 0) throw new RubyCrash('its process ended')
    return Buffer.from(this.#buffer.subarray(0, count))
  }
}

/** Starts the child. Throws NATIVE_RUBY_UNUSABLE if its pipes cannot be created. */
function openChild(program: string, env: Readonly<Record<string, string>>): ChildPipes {
  try {
    return startChild(program, env)
  } catch (error) {
    return throwIssue(issues.NATIVE_RUBY_UNUSABLE, { program, why: `no pipes (${formatError(error)})` })
  }
}

/** Starts the child with both pipes as its descriptors 3 and 4. Without a process, the pipes are open and unused. */
function startChild(program: string, env: Readonly<Record<string, string>>): ChildPipes {
  const folder = mkdtempSync(join(tmpdir(), 'plumb-ruby-'))
  const [down, up] = [join(folder, 'in'), join(folder, 'out')]
  let isKept = false
  try {
    const { status } = spawnSync('mkfifo', ['-m', '600', down, up])
    if (status !== 0) throw new Error(`mkfifo could not create named pipes in ${folder}`)
    // An end for reading that does not block lets the other end open; afterwards, each side has only its own end.
    const childInput = openSync(down, constants.O_RDONLY | constants.O_NONBLOCK)
    const input = openSync(down, constants.O_WRONLY)
    const waiting = openSync(up, constants.O_RDONLY | constants.O_NONBLOCK)
    const childOutput = openSync(up, constants.O_WRONLY)
    const output = openSync(up, constants.O_RDONLY)
    closeSync(waiting)
    // Options of the caller's Ruby could replace the libraries of the bridge; modules see them in `ENV`.
    const { RUBYOPT, RUBYLIB, ...own } = env
    const startFile = join(provideProgramFolder(nativeFolder, join(folder, 'native-ruby')), 'prelude/start.rb')
    const words = [startFile, puppetVersion, String(process.pid), ...(isSingleExecutable ? [folder] : [])]
    const child = spawn(program, [...plainMessages, ...words], {
      env: own,
      stdio: ['ignore', 'inherit', 'inherit', childInput, childOutput],
      // A signal of the terminal reaches only this process. Ruby ends itself and its programs after this process.
      detached: true,
    })
    child.on('error', () => {})
    child.unref()
    closeSync(childInput)
    closeSync(childOutput)
    // Ruby removes a folder with its own files.
    isKept = isSingleExecutable && child.pid !== undefined
    return { child, input, output }
  } finally {
    if (!isKept) rmSync(folder, { recursive: true, force: true })
  }
}

/** A child and this side's ends of its pipes. */
interface ChildPipes {
  readonly child: ChildProcess
  /** Written by this side. */
  readonly input: number
  readonly output: number
}

/** Options for error messages without suggestions and code, as in Puppet 8. */
const plainMessages = ['--disable-did_you_mean', '--disable-error_highlight']

const nativeFolder = fileURLToPath(new URL('native-ruby', rubyBuildFolder))
