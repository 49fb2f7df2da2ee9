// Globs of many stars in environment.conf and hiera.yaml.
import { pushedFor, pusherTo } from './pushed.js'

const long = 'a'.repeat(60)

export const globBombs = {
  every: 40,
  prepare: ({ repository }) =>
    pusherTo(repository).commit({
      'environment.conf': `modulepath = ${'*a'.repeat(26)}*b/modules:${'*'.repeat(300)}b\n`,
      'hiera.yaml': `---\nversion: 5\nhierarchy:\n  - { name: bomb, globs: ["${'*a'.repeat(26)}*b.yaml", "${'**/'.repeat(40)}x.yaml"] }\n`,
      data: { [`${long}.yaml`]: '---\na: 1\n' },
      [long]: { modules: { a: { manifests: { 'init.pp': 'class a { }\n' } } } },
      manifests: { 'site.pp': 'node default { }\n' },
    }),
  async act(attack) {
    await pushedFor(10_000, attack, { globs: attack.prepared })
    return 'pushed'
  },
}
