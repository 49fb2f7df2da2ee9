import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { controlRepository } from '../support/control-repository.ts'
import { runHere } from '../support/run-here.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const page = readFileSync(resolve('docs/policies.md'), 'utf8')

/** The files that the page shows, by the names before them. */
const files = Object.fromEntries(
  [...page.matchAll(/`((?:policies|manifests)\/[\w/]+\.\w+)`\n\n```\w+\n(.*?)```/gs)].map(([, path, text]) => [
    path!,
    text!,
  ]),
)
/** The commands that it shows, and what they print. */
const commands = [...page.matchAll(/```console\n\$ plumb (.*?)\n(.*?)```/gs)].map(([, words, out]) => ({
  words: words!,
  out: out!,
}))

describe('docs/policies.md', () => {
  const vhost = 'define apache::vhost(Boolean $ssl = false) { }\n'
  const { bare } = controlRepository({ ...files, 'modules/apache/manifests/vhost.pp': vhost })
  const folder = scratchFolder('policies-page')
  const facts = join(folder, 'web1.json')
  writeFileSync(facts, '{"role": "web"}')

  it('shows files and commands', () => {
    expect(Object.keys(files)).toEqual([
      'policies/baseline.yaml',
      'policies/functions/services.pp',
      'policies/exceptions.yaml',
      'manifests/site.pp',
    ])
    expect(commands).toHaveLength(2)
  })

  it.each(commands)('$words prints what is shown', async ({ words, out }) => {
    const [command, head] = words.split(' | head -')
    const given = command!.replace('control.git', bare).replace('web1.json', facts).split(' ')
    const places = ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var')]
    const answer = await runHere([...given, ...places])
    const lines = answer.out.split('\n')
    expect(head === undefined ? answer.out : `${lines.slice(0, Number(head)).join('\n')}\n`).toBe(out)
    expect(answer).toMatchObject({ status: 1, err: '' })
  })
})
