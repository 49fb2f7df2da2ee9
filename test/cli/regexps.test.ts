import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { plumbHere as plumb } from '../support/run-here.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const code = 'notice("b" =~ /(a)?(?(1)b|c)/, match("(a(b))", /(?<p>\\((?:[^()]|\\g<p>)*\\))/))'
const folder = scratchFolder('regexps')

describe('patterns that only Ruby matches, in the built command', () => {
  it('match in a script', async () => {
    const { stdout } = await plumb(['script', '-e', code])
    expect(stdout).toBe('Notice: Scope(Class[main]): false [(a(b)), (a(b))]')
  })

  it('match in the threads that compile for many nodes', async () => {
    const manifests = join(folder, 'environments/production/manifests')
    mkdirSync(manifests, { recursive: true })
    writeFileSync(join(manifests, 'site.pp'), 'if "xaab" =~ /a(?=ab)\\K(?~c)/ { notify { $0: } }')
    const [nodes, output] = [join(folder, 'nodes'), join(folder, 'out')]
    writeFileSync(nodes, 'n1\n')
    const environments = ['--environmentpath', join(folder, 'environments')]
    await plumb(['catalog', 'compile', ...environments, '--nodes', nodes, '--output', output])
    expect(readFileSync(join(output, 'n1.json'), 'utf8')).toContain('"title":"ab"')
  })

  it('are refused in the words of Ruby', async () => {
    const { stderr } = await plumb(['parser', 'validate'], { input: 'notice("a" =~ /(a/)' })
    expect(stderr).toContain('end pattern with unmatched parenthesis: /(a/')
  })
})
