import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

/** The floors of the house: a folder imports itself and lower floors only, never a neighbour on its own. */
const floors: readonly (readonly string[])[] = [
  ['base'],
  ['system', 'language', 'indirector', 'x509'],
  ['settings', 'model', 'git', 'ruby'],
  ['environments', 'facts', 'resources', 'client', 'ca', 'store'],
  ['hiera'],
  ['compiler'],
  ['termini', 'deploy'],
  ['agent', 'server'],
  ['cli'],
  ['main.ts'],
]
/** Folders that promise more: nothing but these. */
const only: Readonly<Record<string, readonly string[]>> = { language: ['base'], indirector: ['base'] }

const src = resolve(import.meta.dirname, '../src')
const files = readdirSync(src, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => relative(src, join(entry.parentPath, entry.name)))

interface Import {
  readonly to: string
  readonly typeOnly: boolean
}

const importPattern = /^\s*(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?'(\.[^']+)'/gm

function importsOf(file: string): Import[] {
  const text = readFileSync(join(src, file), 'utf8')
  return [...text.matchAll(importPattern)].map(([, type, to]) => ({
    to: relative(src, resolve(src, dirname(file), to!)),
    typeOnly: type !== undefined,
  }))
}

const room = (file: string): string => file.split('/')[0]!
const floor = (file: string): number => floors.findIndex((rooms) => rooms.includes(room(file)))

describe('the architecture', () => {
  it('has a floor for every room', () => {
    expect(files.filter((file) => floor(file) === -1)).toEqual([])
  })

  it('imports only downwards', () => {
    const upwards = files.flatMap((file) =>
      importsOf(file)
        .filter(({ to }) => room(to) !== room(file))
        .filter(({ to }) => floor(to) >= floor(file) || !(only[room(file)]?.includes(room(to)) ?? true))
        .map(({ to }) => `${file} imports ${to}`),
    )
    expect(upwards).toEqual([])
  })

  it('keeps providers out of the compiler', () => {
    const wrong = files
      .filter((file) => room(file) === 'compiler')
      .flatMap((file) => importsOf(file).filter(({ to }) => to.startsWith('resources/providers')))
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
    expect(findCircle()).toEqual([])
  })
})

/** A circle of imports that stay at run time; `import type` vanishes. */
function findCircle(): string[] {
  const done = new Set<string>()
  const path: string[] = []
  const visit = (file: string): string[] => {
    const start = path.indexOf(file)
    if (start !== -1) return [...path.slice(start), file]
    if (done.has(file)) return []
    path.push(file)
    for (const { to, typeOnly } of importsOf(file)) {
      if (typeOnly) continue
      const circle = visit(to)
      if (circle.length > 0) return circle
    }
    path.pop()
    done.add(file)
    return []
  }
  for (const file of files) {
    const circle = visit(file)
    if (circle.length > 0) return circle
  }
  return []
}
