import { extract, pack } from 'tar-stream'
import { beforeAll, describe, expect, it } from 'vitest'
import { PuppetError } from '../../../src/base/issue.ts'
import { readBundle } from '../../../src/deploy/bundle/bundle-archive.ts'
import { encodeTarHeader } from '../../../src/deploy/bundle/tar-blocks.ts'
import { fc } from '../../support/properties.ts'
import { contents, manifest, memberCount, packBundle, unpack } from './packed-bundle.ts'

let bundle: Buffer
beforeAll(async () => {
  bundle = await packBundle('a.b.c')
})

/** Offset of the header of a member. */
const at = (path: string) => bundle.indexOf(`${path}\0`)

describe('a bundle', () => {
  it.each([1, 7, 511, 512, 513, 100_000])('is read as it was written, in chunks of %i bytes', async (size) => {
    const { read, signature, ...head } = await unpack(bundle, size)
    expect(head.manifest).toEqual(manifest)
    expect(signature).toBe('a.b.c')
    expect(read).toEqual(contents)
    expect(read.size).toBe(memberCount)
  })

  it('has the same bytes each time', async () => {
    expect((await packBundle('a.b.c')).equals(bundle)).toBe(true)
  })

  it('is a tar archive for other programs', async () => {
    const names: string[] = []
    const tar = extract()
    tar.end(bundle)
    for await (const entry of tar) {
      names.push(`${entry.header.type} ${entry.header.name}`)
      entry.resume()
    }
    expect(names).toEqual(['signature.jws', 'manifest.json', ...contents.keys()].map((name) => `file ${name}`))
  })

  it('is rejected if any bit is changed', async () => {
    // The signature and the text of the manifest are verified by the signature, not by the archive.
    const [signature, text] = [at('signature.jws') + 512, at('manifest.json') + 512]
    for (let byte = 0; byte < bundle.length; byte++) {
      const isSigned = (byte >= signature && byte < signature + 5) || (byte >= text && byte < at('code.bundle'))
      const changed = Buffer.from(bundle)
      changed[byte]! ^= 1 << (byte % 8)
      const result = await unpack(changed).catch((error: unknown) => error)
      if (isSigned && !(result instanceof Error)) continue
      expect(result, `byte ${byte}`).toBeInstanceOf(PuppetError)
      expect(String(result), `byte ${byte}`).toMatch(/damaged or was changed|version/)
    }
  }, 60_000)

  it('is rejected if it is truncated anywhere', async () => {
    for (let length = 0; length < bundle.length; length += 61)
      await expect(unpack(bundle.subarray(0, length))).rejects.toThrow('it is truncated')
  })

  it('is rejected if bytes follow', async () => {
    await expect(unpack(Buffer.concat([bundle, Buffer.alloc(512)]))).rejects.toThrow('bytes follow its end')
  })

  it('is rejected if two files are swapped', async () => {
    const paths = [...contents.keys()]
    const [first, second] = [at(paths[1]!), at(paths[2]!)]
    const end = bundle.length - 1024
    const swapped = Buffer.concat([
      bundle.subarray(0, first),
      bundle.subarray(second, end),
      bundle.subarray(first, second),
      bundle.subarray(end),
    ])
    await expect(unpack(swapped)).rejects.toThrow(`the header of ${paths[1]} is invalid`)
  })

  it.each(['symlink', 'link', 'directory', 'fifo'] as const)('is rejected if a member is a %s', async (type) => {
    const tar = pack()
    tar.entry({ name: 'signature.jws', type, linkname: '/etc/passwd', mtime: new Date(0) })
    tar.finalize()
    const parts: Uint8Array[] = []
    for await (const part of tar) parts.push(part as Uint8Array)
    await expect(unpack(Buffer.concat(parts))).rejects.toThrow('the header of signature.jws is invalid')
  })

  it.each([
    ['signature.jws', 8193],
    ['manifest.json', 16 * 1024 ** 2 + 1],
  ])('is rejected if %s claims %i bytes, before they are read', async (path, size) => {
    const before = path === 'signature.jws' ? [] : [encodeTarHeader('signature.jws', 0)]
    let pulled = 0
    async function* endless() {
      yield Buffer.concat([...before, encodeTarHeader(path, size)])
      for (;;) {
        pulled++
        yield Buffer.alloc(65_536)
      }
    }
    const visitor = { head: () => {}, member: async () => {} }
    await expect(readBundle(endless(), visitor)).rejects.toThrow(`${path} exceeds`)
    expect(pulled).toBe(0)
  })

  it('is not opened further if its head is rejected', async () => {
    const opened: string[] = []
    const visitor = {
      head: () => {
        throw new Error('not trusted')
      },
      member: async ({ path }: { readonly path: string }) => void opened.push(path),
    }
    async function* whole() {
      yield bundle
    }
    await expect(readBundle(whole(), visitor)).rejects.toThrow('not trusted')
    expect(opened).toEqual([])
  })

  it('accepts no other bytes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(), fc.uint8Array({ maxLength: 600 })), { minLength: 1, maxLength: 4 }),
        async (edits) => {
          let changed = bundle
          for (const [place, bytes] of edits) {
            const start = place % (changed.length + 1)
            changed = Buffer.concat([changed.subarray(0, start), bytes, changed.subarray(start + bytes.length)])
          }
          const result = await unpack(changed).catch((error: unknown) => error)
          if (result instanceof Error) expect(result).toBeInstanceOf(PuppetError)
          else expect(result).toMatchObject({ read: contents })
        },
      ),
      { numRuns: 300 },
    )
  })
})
