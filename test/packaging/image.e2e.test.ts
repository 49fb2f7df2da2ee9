import { execFileSync, spawnSync } from 'node:child_process'
import { chownSync, cpSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../bench/free-port.js'
import { scratchFolder } from '../support/scratch-folder.ts'
import { debianBase } from './debian-base.ts'

const root = join(import.meta.dirname, '../..')
const programs = ['podman', 'buildah', 'runc', 'debootstrap']
const isHere = (name: string) => ['/usr/bin', '/usr/sbin'].some((folder) => existsSync(join(folder, name)))
const lacking = programs.filter((name) => !isHere(name))
/** The user of the image. */
const account = 8140
const notNow =
  (process.getuid?.() === 0 ? '' : ' (left out: this user may not build images)') ||
  (lacking.length === 0 ? '' : ` (left out: ${lacking.join(', ')} are not here)`)

describe.skipIf(notNow)(`the image${notNow}`, () => {
  const folder = scratchFolder('image')
  const stored = ['--storage-driver', 'vfs', '--root', join(folder, 'images'), '--runroot', join(folder, 'run')]
  const podman = (...words: string[]) =>
    spawnSync('podman', [...stored, '--cgroup-manager', 'cgroupfs', '--runtime', 'runc', ...words], {
      encoding: 'utf8',
    })
  /** As compose.yaml has it, beside a network and limits that a container in a container may have. */
  const confined = [
    '--read-only',
    '--read-only-tmpfs=false',
    '--tmpfs',
    '/tmp:size=256m,mode=1777',
    '--cap-drop',
    'ALL',
  ]
  confined.push('--security-opt', 'no-new-privileges', '--network', 'host')
  confined.push('--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=4096:4096')

  beforeAll(() => {
    importBases(folder, stored)
    const context = join(folder, 'context')
    execFileSync('git', ['clone', '--quiet', root, context])
    const words = ['bud', '--isolation', 'chroot', '--network', 'host', '--format', 'docker']
    execFileSync('buildah', [...stored, ...words, '-f', 'ext/docker/Containerfile', '-t', 'plumbline', '.'], {
      cwd: context,
      stdio: ['ignore', 'ignore', 'pipe'],
      maxBuffer: 64 * 2 ** 20,
    })
  }, 1_200_000)
  afterAll(() => {
    podman('rm', '--all', '--force')
    podman('rmi', '--all', '--force')
  })

  it('serves with a root that it cannot write, is healthy, and ends when it is told to', async () => {
    const [code, port] = [join(folder, 'code.git'), await freePort()]
    execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=production', code])
    for (const name of ['', ...readdirSync(code, { recursive: true, encoding: 'utf8' })])
      chownSync(join(code, name), account, account)
    const volumes = ['-v', 'etc:/etc/plumb', '-v', 'var:/var/lib/plumb', '-v', `${code}:/srv/code.git`]
    const settings = ['--certname', 'localhost', '--serverport', String(port), '--code_repo', '/srv/code.git']
    const started = podman('run', '-d', '--name', 'server', ...confined, ...volumes, 'plumbline', 'server', ...settings)
    expect(started.status, started.stderr).toBe(0)
    const healthy = (at: number) =>
      podman('exec', 'server', 'plumb', 'server', 'status', '--serverport', String(at)).status
    await expect.poll(() => healthy(port), { interval: 1000 }).toBe(0)
    expect(healthy(await freePort())).toBe(1)
    const tried = podman(
      'exec',
      'server',
      'sh',
      '-c',
      'id -u; touch /usr/x 2>&1; stat -c "%u %a" /etc/plumb/ca/ca_key.pem',
    )
    expect(tried.stdout.split('\n').slice(0, 3)).toEqual([
      String(account),
      "touch: cannot touch '/usr/x': Read-only file system",
      `${account} 600`,
    ])
    podman('stop', '--time', '40', 'server')
    const state = () => podman('inspect', 'server', '--format', '{{.State.Status}}').stdout.trim()
    await expect.poll(state).toBe('exited')
    expect(podman('inspect', 'server', '--format', '{{.State.ExitCode}}').stdout.trim()).toBe('0')
  }, 600_000)

  it('shows the demo', () => {
    const { status, stdout, stderr } = podman('run', '--rm', ...confined, 'plumbline', 'demo')
    expect(status, stdout + stderr).toBe(0)
    expect(stdout).not.toMatch(/Error:/)
  }, 600_000)
})

/**
 * Imports Debian, and Debian with this machine's Node.js and the authorities that its npm trusts, under the names of the two
 * images that ours is made from.
 */
function importBases(folder: string, stored: readonly string[]): void {
  const base = join(folder, 'node')
  mkdirSync(base)
  execFileSync('cp', ['-a', `${debianBase(folder)}/.`, base])
  importImage(base, 'debian:bookworm-slim', stored)
  cpSync(process.execPath, join(base, 'usr/bin/node'), { dereference: true })
  const npm = execFileSync('readlink', ['-f', execFileSync('which', ['npm'], { encoding: 'utf8' }).trim()])
  const modules = join(base, 'usr/lib/node_modules')
  mkdirSync(modules, { recursive: true })
  execFileSync('cp', ['-a', dirname(dirname(npm.toString().trim())), join(modules, 'npm')])
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(base, 'usr/bin/npm'))
  const authorities = process.env['NODE_EXTRA_CA_CERTS']
  if (authorities) {
    cpSync(authorities, join(base, 'etc/authorities.pem'), { dereference: true })
    writeFileSync(join(modules, 'npm/npmrc'), 'cafile=/etc/authorities.pem\n')
  }
  importImage(base, 'node:24-bookworm-slim', stored)
}

function importImage(base: string, name: string, stored: readonly string[]): void {
  const importing = `tar -C "$0" -c . | podman "$@" import - docker.io/library/${name}`
  execFileSync('sh', ['-ec', importing, base, ...stored], { stdio: 'ignore' })
}
