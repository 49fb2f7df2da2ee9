import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { whyNotMount } from '../../support/may-mount.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { type Edit, GateWorld } from './world.ts'

const base: Edit = {
  'manifests/site.pp': 'include web\n',
  'modules/web/manifests/init.pp': "class web { notify { 'web': } }\n",
}
const broken: Edit = { 'modules/web/manifests/init.pp': 'class web { include nowhere }\n' }
const better: Edit = { 'modules/web/manifests/init.pp': "class web { notify { 'better': } }\n" }

/** Puts a folder on a disk of its own, fills that, and runs what it is given: in a namespace that ends with it. */
const onFullDisk = `set -e
kept="$1.kept"; cp -a "$1" "$kept"
mount -t tmpfs -o size=2m none "$1"; cp -a "$kept/." "$1/"
cat /dev/zero > "$1/filler" 2>/dev/null || true
set +e
TMPDIR="$2" git push "$3" HEAD:production 2>&1; echo "full: $?"
rm "$1/filler"
git push "$3" HEAD:production 2>&1; echo "free: $?"
git --git-dir "$3" rev-parse production`

const cannot = whyNotMount()

describe.skipIf(cannot)(`a push while a disk is full${cannot}`, () => {
  let world: GateWorld
  beforeAll(() => {
    world = new GateWorld(scratchFolder('gate-disk'), base, { 'web1.test': { role: 'web' } })
  })

  const push = (disk: string, edit: Edit, temporary: string) => {
    world.reset()
    const commit = world.commit(edit)
    const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null' }
    const words = ['-m', 'sh', '-c', onFullDisk, 'sh', disk, temporary, world.bare]
    const said = execFileSync('unshare', words, { cwd: world.work, encoding: 'utf8', env })
    return { said, commit, at: said.trim().split('\n').at(-1) }
  }

  it.each(['vardir', 'control.git'])('takes nothing that breaks a node, and is not wedged: %s', (name) => {
    const disk = join(world.folder, name)
    const before = world.at()
    const { said, at } = push(disk, broken, disk)
    expect(said).toMatch(/full: 1\n/)
    expect(said).toContain('Could not find class ::nowhere')
    expect(said).toMatch(/free: 1\n/)
    expect(at).toBe(before)
  })

  it('takes what is well once there is room', () => {
    const { said, commit, at } = push(world.bare, better, join(world.folder, 'vardir'))
    expect(said).toMatch(/full: 1\n/)
    expect(said).toMatch(/free: 0\n/)
    expect(at).toBe(commit)
  })
})
