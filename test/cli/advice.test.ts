import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { CliCommand } from '../../src/cli/command/command.ts'
import { commands } from '../../src/cli/commands.ts'
import { isSetting } from '../../src/machine/settings/settings.ts'

const root = join(import.meta.dirname, '../..')
const loaded = new Map(await Promise.all(commands.map(async ({ name, load }) => [name, await load()] as const)))

/** Options that every command has, and those of `plumb` itself. */
const everywhere = ['-h', '--help', '-d', '--debug', '-v', '--verbose', '-V', '--version', '--trace']
/** Programs that arguments in a line of code are for. */
const otherPrograms = /\b(?:git|runGit)\(|^\s*curl /

interface Line {
  readonly place: string
  readonly text: string
}

/** The lines of a file, without those that are comments of code. */
function linesOf(file: string): Line[] {
  const isCode = file.endsWith('.ts')
  return readFileSync(join(root, file), 'utf8')
    .split('\n')
    .map((text, index) => ({ place: `${file}:${index + 1}`, text }))
    .filter(({ text }) => !(isCode && /^\s*(?:\/\/|\/?\*)/.test(text)))
}

function filesBelow(folder: string, end: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(end))
    .map((file) => join(folder, file))
    .sort()
}

/** What follows `plumb` in a line, up to the mark that closes it, a pipe or the next command. */
function commandLines(text: string): string[] {
  return Array.from(text.matchAll(/(^|[\s'"`(])plumb (?=[a-z-])(?!line\b)/g), ({ 0: start, 1: mark = '', index }) => {
    const rest = text.slice(index + start.length)
    const quote = /['"`]/.test(mark) ? rest.indexOf(mark) : -1
    const whole = quote === -1 ? rest : rest.slice(0, quote)
    return whole.split(/\bplumb (?=[a-z])| # | \| /)[0]!.trim()
  })
}

const flagsOf = ({ options = [] }: CliCommand): string[] =>
  options.flatMap(({ flags }) => Array.from(flags.matchAll(/(?<![\w-])--?[\w-]+/g), ([flag]) => flag!))

const allFlags = (command: CliCommand): string[] => [...flagsOf(command), ...(command.commands ?? []).flatMap(allFlags)]

function isOption(word: string, known: readonly string[]): boolean {
  if (known.includes(word) || everywhere.includes(word)) return true
  const name = word.replace(/^--(?:no-)?/, '')
  return word.startsWith('--') && (isSetting(name) || known.includes(`--${name}`))
}

/** Why a command line would not be taken; nothing where it would. */
function complaint(line: string): string | undefined {
  const [first = '', ...rest] = line.split(/\s+/)
  if (first.startsWith('-')) return isOption(first, []) ? undefined : `no option ${first}`
  if (first === 'help') return /^(?:[<$]|$)/.test(rest[0] ?? '') ? undefined : complaint(rest.join(' '))
  let command: CliCommand | undefined = loaded.get(first.replace(/\W+$/, ''))
  if (!command) return `no command ${first}`
  const known = flagsOf(command)
  for (const word of rest) {
    if (!command.commands || !/^[a-z][a-z-]*$/.test(word)) break
    const deeper: CliCommand | undefined = command.commands.find(({ name }) => name === word)
    if (!deeper) return `no command ${command.name} ${word}`
    command = deeper
    known.push(...flagsOf(command))
  }
  const options = rest.flatMap((word) => /^--?[a-zA-Z][\w-]*/.exec(word) ?? [])
  const unknown = options.find((word) => !isOption(word, known))
  return unknown && `no option ${unknown} of ${command.name}`
}

function complaints(lines: readonly Line[], wrongIn: (text: string) => readonly (string | undefined)[]): string[] {
  return lines.flatMap(({ place, text }) => wrongIn(text).flatMap((each) => (each ? `${place}: ${each}` : [])))
}

describe('what messages and documents advise', () => {
  // Scripts for shells contain the words of `complete` in fish.
  const source = filesBelow('src', '.ts')
    .filter((path) => !path.endsWith('completion/scripts.ts'))
    .flatMap(linesOf)
  const documents = ['README.md', ...filesBelow('docs', '.md')].flatMap(linesOf)

  it('names commands of ours, with options that they have', () => {
    expect(source.flatMap(({ text }) => commandLines(text)).length).toBeGreaterThan(50)
    expect(complaints(source, (text) => commandLines(text).map(complaint))).toEqual([])
  })

  it('names them in documents, too', () => {
    expect(complaints(documents, (text) => commandLines(text).map(complaint))).toEqual([])
  })

  it('names options that a command has, where it names no command', () => {
    const known = [...loaded.values()].flatMap(allFlags)
    const rooms = source.filter(({ place }) => !/^src\/(?:base|compiler|code\/git|node\/resources|ruby)\//.test(place))
    const wrongIn = (text: string) => {
      if (otherPrograms.test(text)) return []
      const named = Array.from(text.matchAll(/[ (](--[a-z][\w-]+)|'(--[a-z][\w-]+)' option/g), ([, a, b]) => a ?? b!)
      return named.map((word) => (isOption(word, known) ? undefined : `no option ${word}`))
    }
    expect(complaints(rooms, wrongIn)).toEqual([])
  })

  it('names settings that there are', () => {
    const wrongIn = (text: string) =>
      Array.from(text.matchAll(/\bthe setting '?([a-z]+_[a-z_]*[a-z]|[a-z]+(?='))(?![_a-z])/g), ([, name]) =>
        isSetting(name!) ? undefined : `no setting ${name}`,
      )
    expect(complaints([...source, ...documents], wrongIn)).toEqual([])
  })

  it("names Puppet's commands only where they are said to be Puppet's", () => {
    const ofPuppet =
      /(?<!Puppet Server: )\bpuppet(?:server)? (?:agent|apply|ca|cert|config|facts|lookup|module|node|parser|resource|ssl)\b/
    // Words that are Puppet's to the letter, and the names that this program answers to.
    const quoting =
      /^src\/(?:cli\/(?:config\/config|names\/names)|node\/resources\/(?:types\/scheduled-task\/trigger|types\/windows\/acl-permission|providers\/reboot\/windows)|workbench\/lint\/checks\/nodes\/unquoted-node-name)\.ts:/
    const own = source.filter(({ place }) => !quoting.test(place))
    expect(complaints(own, (text) => [ofPuppet.exec(text)?.[0]])).toEqual([])
  })

  it.each([
    ['agent --enable', undefined],
    ['agent --grpah', 'no option --grpah of agent'],
    ['ca sgin --certname a', 'no command ca sgin'],
    ['lookup key --merge deep --no-noop', undefined],
    ['cert list', 'no command cert'],
  ])('is found wrong where it is: %s', (line, expected) => {
    expect(complaint(line)).toBe(expected)
  })
})
