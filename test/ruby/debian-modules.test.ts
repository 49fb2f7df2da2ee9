import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { begin } from '../../src/compiler/begin.ts'
import { openParts } from '../../src/environments/open-environment.ts'
import { plainRequest } from '../support/plain-request.ts'

const modules = '/usr/share/puppet/modules'

/** Files below a folder of any module, as `[module, path from there]`. */
function filesOf(folder: string, ending: string): [string, string][] {
  const names = readdirSync(modules).filter((name) => /^[a-z]\w*$/.test(name))
  return names.flatMap((module) => {
    const directory = join(modules, module, folder)
    if (!existsSync(directory)) return []
    const paths = readdirSync(directory, { recursive: true, encoding: 'utf8' })
    return paths.filter((name) => name.endsWith(ending)).map((name): [string, string] => [module, name])
  })
}

async function compilation() {
  const environment = await openParts({
    name: 'production',
    modulepath: [modules],
    manifest: undefined,
    hiera: undefined,
  })
  return begin(plainRequest(environment), [])
}

function failureOf(work: () => unknown): string | undefined {
  try {
    work()
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/** What cannot be had without the gem, in real Puppet neither. */
const withoutGem = ['redisget: cannot load such file -- redis', 'redis::redisget: cannot load such file -- redis']

describe.skipIf(!existsSync(modules))("Debian's modules (left out where they are not installed)", () => {
  it('have functions that all load', async () => {
    const { host, top } = await compilation()
    const paths = [...filesOf('lib/puppet/functions', '.rb'), ...filesOf('lib/puppet/parser/functions', '.rb')]
    const names = [...new Set(paths.map(([, path]) => path.slice(0, -'.rb'.length).replaceAll('/', '::')))]
    const failures = names.flatMap((name) => {
      const failure = failureOf(() => host.findFunction(name, top)!.signatures)
      return failure === undefined ? [] : [`${name}: ${failure.split('\n')[0]}`]
    })
    expect(failures.filter((failure) => !withoutGem.includes(failure))).toEqual([])
    expect(names.length).toBeGreaterThan(200)
  })

  it('have templates that are all found, and valid Ruby', async () => {
    const { host, top } = await compilation()
    const names = filesOf('templates', '.erb').map(([module, path]) => `${module}/${path}`)
    const template = host.findFunction('template', top)!
    const failures = names.flatMap((name) => {
      const failure = failureOf(() => template.call({ host, scope: top, span: undefined }, [name]))
      return failure && /syntax error|uninitialized constant|ended its interpreter|Could not find/.test(failure)
        ? [failure]
        : []
    })
    expect(failures).toEqual([])
    expect(names.length).toBeGreaterThan(300)
  })
})
