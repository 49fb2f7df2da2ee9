import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const { dependencies, devDependencies, engines } = JSON.parse(read('package.json')) as Record<
  string,
  Record<string, string>
>

const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((file) =>
  /(?<!\.d)\.ts$/.test(file),
)
const imports = /^(?:import|export|\})[^'"]* from '([^'.][^']*)'$|\bimport\('([^'.][^']*)'\)/gm

/** What src/ imports of others: `node-forge` for `node-forge/lib/asn1.js`. */
const imported = sources.flatMap((file) =>
  [...read(`src/${file}`).matchAll(imports)]
    .map(([, first, later]) => first ?? later ?? '')
    .filter((name) => !name.startsWith('node:'))
    .map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name),
)
/** What src/ looks up as a file, such as the binary of Ruby. */
const lookedUp = Object.keys(dependencies!).filter((name) =>
  sources.some((file) => read(`src/${file}`).includes(`\`${name}/`)),
)
const page = read('docs/dependencies.md')
const [libraries] = page.split('## Transitive dependencies') as [string]
const [, brought] = page.split(/<!-- (?:end of )?packages/) as [string, string]
const [, development] = page.split('## Development') as [string, string]
const sorted = (names: Iterable<string>): string[] => [...new Set(names)].sort()

interface Locked {
  readonly integrity?: string
  readonly resolved?: string
  readonly hasInstallScript?: boolean
  readonly dev?: boolean
  readonly link?: boolean
  readonly engines?: { readonly node?: string }
}

const lock = JSON.parse(read('package-lock.json')) as { readonly packages: Readonly<Record<string, Locked>> }
const locked = Object.entries(lock.packages).filter(([place]) => place !== '')

/** Whether a version is in a range such as `^18.19.0 || >=20.5.0`; one that reads otherwise has nothing. */
function isMet(range: string, version: readonly number[]): boolean {
  return range.split('||').some((part) => {
    const [, kind, ...numbers] = /^ *(\^|>=|) *(\d+)(?:\.(\d+|x))?(?:\.(\d+))? *$/.exec(part) ?? []
    if (kind === undefined) return part.trim() === '*'
    const least = numbers.map((each) => Number(each) || 0)
    const difference = version.map((each, index) => each - least[index]!).find((each) => each !== 0) ?? 0
    return difference >= 0 && (kind === '>=' || version[0] === least[0])
  })
}

describe('the lock file', () => {
  it('pins every package by a digest of its bytes', () => {
    const loose = locked.filter(([, { integrity = '', link }]) => link || !/^sha512-[\w+/]{86}==$/.test(integrity))
    expect(loose.map(([place]) => place)).toEqual([])
  })

  it('takes packages from a registry only', () => {
    const elsewhere = locked.filter(
      ([, { resolved = '' }]) => resolved !== '' && !/^https:\/\/[^/]+\/.*\.tgz$/.test(resolved),
    )
    expect(elsewhere.map(([place]) => place)).toEqual([])
  })

  it('has no package that wants a newer Node than we do, for `npm install` would warn', () => {
    const [, ...least] = /^>=(\d+)\.(\d+)$/.exec(engines!.node!)!.map(Number)
    const newer = locked.filter(([, { engines }]) => !isMet(engines?.node ?? '*', [...least, 0]))
    expect(newer.map(([place, { engines }]) => `${place} ${engines?.node}`)).toEqual([])
  })

  it('has no package that runs a script when it is installed', () => {
    expect(locked.filter(([, { hasInstallScript }]) => hasInstallScript).map(([place]) => place)).toEqual([])
  })

  it('has no package that runs and stands with no library in docs/dependencies.md', () => {
    const named = new Set([...brought.matchAll(/`([^`]+)`/g)].map(([, name]) => name))
    const names = locked
      .filter(([, { dev }]) => !dev)
      .map(([place]) => place.slice(place.lastIndexOf('node_modules/') + 13))
    expect(names.filter((name) => !named.has(name))).toEqual([])
  })
})

describe('the libraries of package.json', () => {
  it('are those that the source imports or looks up', () => {
    expect(sorted([...imported, ...lookedUp])).toEqual(sorted(Object.keys(dependencies!)))
  })

  it('are those that docs/dependencies.md gives a reason for', () => {
    const named = [...libraries.matchAll(/^\| `([^`]+)`/gm)].map(([, name]) => name!)
    expect(named.sort()).toEqual(sorted(Object.keys(dependencies!)))
  })

  it('for development are named there, too', () => {
    const named = [...development.matchAll(/`([^`]+)`/g)].map(([, name]) => name!)
    const wanted = Object.keys(devDependencies!).filter((name) => !name.startsWith('@types/'))
    expect(named.sort()).toEqual(wanted.sort())
  })

  it('have types only where they are used', () => {
    const all = Object.keys({ ...dependencies, ...devDependencies })
    const typed = all.filter((name) => name.startsWith('@types/')).map((name) => name.slice('@types/'.length))
    expect(typed.filter((name) => name !== 'node' && !all.includes(name))).toEqual([])
  })
})
