import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { describe, expect, it } from 'vitest'
import { borders, largeFiles, largeFolders, longFunctions, only, parts, rooms } from '../scripts/rooms.js'
import { Graph } from '../src/base/graph.ts'

const src = resolve(import.meta.dirname, '../src')
const files = readdirSync(src, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => relative(src, join(entry.parentPath, entry.name)))

interface Import {
  readonly to: string
  readonly typeOnly: boolean
}

const importPattern = /^\s*(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?'(\.[^']+)'/gm

const textOf = (file: string): string => readFileSync(join(src, file), 'utf8')

const imports: ReadonlyMap<string, readonly Import[]> = new Map(
  files.map((file) => [
    file,
    Array.from(textOf(file).matchAll(importPattern), ([, type, to]) => ({
      to: relative(src, resolve(src, dirname(file), to!)),
      typeOnly: type !== undefined,
    })),
  ]),
)
const importsOf = (file: string): readonly Import[] => imports.get(file)!

/** The first folder of a path, or the file itself. */
const first = (path: string): string => path.split('/')[0]!
const order = Object.keys(rooms)

/** Imports among the names of a list that do not go to an earlier one. */
function upwards(names: readonly string[], within: string): string[] {
  const nameOf = (file: string) => first(file.slice(within.length))
  return files
    .filter((file) => file.startsWith(within) && !Object.hasOwn(borders, file))
    .flatMap((file) =>
      importsOf(file)
        .filter(({ to }) => to.startsWith(within) && !Object.hasOwn(borders, to) && nameOf(to) !== nameOf(file))
        .filter(({ to }) => names.indexOf(nameOf(to)) >= names.indexOf(nameOf(file)))
        .map(({ to }) => `${file} imports ${to}`),
    )
}

/** The parts of a room that reach each other through imports, types too. */
function circlesIn(room: string): string[][] {
  const graph = new Graph<string>()
  const partOf = (file: string) => first(file.slice(room.length + 1))
  const within = files.filter((file) => file.startsWith(`${room}/`) && !Object.hasOwn(borders, file))
  for (const file of within)
    for (const { to } of importsOf(file))
      if (within.includes(to) && partOf(to) !== partOf(file)) graph.addEdge(partOf(file), partOf(to), true)
  return graph.cycles().map((cycle) => [...cycle].sort())
}

describe('the architecture', () => {
  it('has a place in the order for every room', () => {
    expect(files.filter((file) => !order.includes(first(file)))).toEqual([])
  })

  it('imports only rooms above', () => {
    expect(upwards(order, '')).toEqual([])
  })

  it.each(Object.entries(parts))('imports inside %s only parts above', (room, inner) => {
    const names = Object.keys(inner)
    const within = files.filter((file) => first(file) === room && !Object.hasOwn(borders, file))
    expect(within.filter((file) => !names.includes(first(file.slice(room.length + 1))))).toEqual([])
    expect(upwards(names, `${room}/`)).toEqual([])
  })

  it.each(order.filter((room) => !room.endsWith('.ts')))('has no circle among the parts of %s', (room) => {
    expect(circlesIn(room)).toEqual([])
  })

  it.each(Object.keys(borders))('has nothing but types in %s', (file) => {
    expect(importsOf(file).filter(({ typeOnly }) => !typeOnly)).toEqual([])
    const statements: readonly { readonly type: string }[] = parseAst(textOf(file), { lang: 'ts' }).body
    expect(statements.filter(({ type }) => !/^(ImportDeclaration|ExportNamedDeclaration|TS\w+)$/.test(type))).toEqual(
      [],
    )
  })

  it.each(Object.entries(only))('imports in %s nothing but %s', (name, allowed) => {
    const wrong = files
      .filter((file) => file.startsWith(`${name}/`))
      .flatMap((file) => importsOf(file).filter(({ to }) => !to.startsWith(`${name}/`) && !allowed.includes(first(to))))
    expect(wrong).toEqual([])
  })

  it('keeps providers out of the compiler', () => {
    const wrong = files
      .filter((file) => first(file) === 'compiler')
      .flatMap((file) => importsOf(file).filter(({ to }) => to.startsWith('node/resources/providers')))
    expect(wrong).toEqual([])
  })

  it('imports only files that are there, by their names', () => {
    const known = new Set(files)
    const missing = files.flatMap((file) =>
      importsOf(file)
        .filter(({ to }) => !known.has(to))
        .map(({ to }) => `${file} imports ${to}`),
    )
    expect(missing).toEqual([])
  })

  it('finds its own files in a folder of any name, one with a space too', () => {
    const root = resolve(src, '..')
    const code = ['src', 'scripts', 'bench'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.[jt]s$/.test(name))
        .map((name) => join(folder, name)),
    )
    const wrong = code.filter((file) => /import\.meta\.url\)\.pathname/.test(readFileSync(join(root, file), 'utf8')))
    expect(wrong).toEqual([])
  })

  it('has no import circle', () => {
    expect(circles()).toEqual([])
  })
})

/** The circles of imports at run time, without `import type`. */
function circles(): string[][] {
  const graph = new Graph<string>()
  for (const file of files) for (const { to, typeOnly } of importsOf(file)) if (!typeOnly) graph.addEdge(file, to)
  return graph.cycles()
}

/** A limit and what may exceed it is told of each; an exception that needs none is told of too. */
function exceptions(sizes: ReadonlyMap<string, number>, most: number, known: Readonly<Record<string, string>>) {
  return {
    tooLarge: [...sizes].filter(([name, size]) => size > most && !Object.hasOwn(known, name)),
    needless: Object.keys(known).filter((name) => (sizes.get(name) ?? 0) <= most),
  }
}

describe('the sizes', () => {
  const none = { tooLarge: [], needless: [] }
  const linesOf = (text: string): number => text.trimEnd().split('\n').length

  it('has files of at most 400 lines', () => {
    const sizes = new Map(files.map((file) => [file, linesOf(textOf(file))]))
    expect(exceptions(sizes, 400, largeFiles)).toEqual(none)
  })

  it('has folders of at most thirty files', () => {
    const sizes = new Map<string, number>()
    for (const folder of files.map(dirname)) sizes.set(folder, (sizes.get(folder) ?? 0) + 1)
    expect(exceptions(sizes, 30, largeFolders)).toEqual(none)
  })

  it('has functions of at most sixty lines', () => {
    const sizes = new Map<string, number>()
    for (const file of files) {
      const text = textOf(file)
      for (const { name, start, end } of functionsIn(text)) {
        const place = `${file} ${name}`
        sizes.set(place, Math.max(sizes.get(place) ?? 0, linesOf(text.slice(start, end))))
      }
    }
    expect(exceptions(sizes, 60, longFunctions)).toEqual(none)
  })
})

interface FunctionPlace {
  readonly name: string
  readonly start: number
  readonly end: number
}

/** The functions of a file, those within others too; one without a name has the name of what it is in. */
function functionsIn(text: string): readonly FunctionPlace[] {
  const found: FunctionPlace[] = []
  const visit = (node: unknown, outer: string): void => {
    if (Array.isArray(node)) for (const each of node) visit(each, outer)
    if (typeof node !== 'object' || node === null || !('type' in node)) return
    const { type, id, key, start, end } = node as SyntaxNode
    const name = id?.name ?? key?.name ?? outer
    if (/Function/.test(type)) found.push({ name, start, end })
    for (const child of Object.values(node)) visit(child, name)
  }
  visit(parseAst(text, { lang: 'ts' }).body, 'file')
  return found
}

interface SyntaxNode extends Omit<FunctionPlace, 'name'> {
  readonly type: string
  readonly id?: { readonly name?: string } | null
  readonly key?: { readonly name?: string }
}

describe('the documentation of the rooms', () => {
  const root = resolve(src, '..')
  const inner = Object.entries(parts).flatMap(([room, of]) => Object.keys(of).map((name) => `${room}/${name}`))
  const folders = [...order, ...inner].filter((name) => !name.endsWith('.ts'))
  const readmes = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
    (name) => basename(name) === 'README.md',
  )
  const pages = [...readmes.map((name) => `src/${name}`), 'docs/architecture.md']

  it('is a README in each room', () => {
    expect(folders.filter((name) => !existsSync(join(src, name, 'README.md')))).toEqual([])
  })

  it('is a README in each folder of ten or more files', () => {
    const sizes = new Map<string, number>()
    for (const entry of readdirSync(src, { recursive: true, withFileTypes: true }))
      if (entry.isFile() && /\.(?:ts|js|rb)$/.test(entry.name))
        sizes.set(entry.parentPath, (sizes.get(entry.parentPath) ?? 0) + 1)
    const large = [...sizes].filter(([, size]) => size >= 10).map(([folder]) => folder)
    expect(large.filter((folder) => !existsSync(join(folder, 'README.md')))).toEqual([])
  })

  it.each(pages)('names in %s what is there', (page) => {
    const text = readFileSync(join(root, page), 'utf8')
    const places = [dirname(join(root, page)), src, root]
    const missing = pathsIn(text).filter((path) => !places.some((place) => existsSync(join(place, path))))
    expect(missing).toEqual([])
  })
})

/** Files and folders that a text names as code. */
function pathsIn(text: string): string[] {
  const paths = /`([\w.-]+(?:\/[\w.-]+)*(?:\/|\.(?:ts|js|rb|json|md)))`/g
  return Array.from(text.matchAll(paths), ([, name]) => name!)
}
