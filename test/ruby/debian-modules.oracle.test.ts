import { describe, expect, it } from 'vitest'
import { openCommandLineCode } from '../../src/code/environments/environment-opener.ts'
import { beginCompilation } from '../../src/compiler/begin/compilation-setup.ts'
import { debianModules as modules } from '../support/debian-modules.ts'
import { without } from '../support/needs.ts'
import { plainRequest } from '../support/plain-request.js'
import { filesOf } from './beside-puppet.ts'

async function compilation() {
  const environment = await openCommandLineCode({
    name: 'production',
    modulepath: [modules],
    manifest: undefined,
    hiera: undefined,
  })
  return beginCompilation(plainRequest(environment), [])
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

const lacking = without("Debian's modules")

describe.skipIf(lacking)(`Debian's modules${lacking}`, () => {
  it('have functions that all load', async () => {
    const { host, top } = await compilation()
    const paths = [
      ...filesOf(modules, 'lib/puppet/functions', '.rb'),
      ...filesOf(modules, 'lib/puppet/parser/functions', '.rb'),
    ]
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
    const names = filesOf(modules, 'templates', '.erb').map(([module, path]) => `${module}/${path}`)
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
