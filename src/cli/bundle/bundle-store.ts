import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Budget } from '../../base/budgets/budgets.ts'
import { limitBytes } from '../../base/bytes/byte-limit.ts'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import type { BundleFile, BundleMember } from '../../deploy/bundle/manifest.ts'

const issues = defineIssues({
  BUNDLE_TOO_LARGE: {
    text: (a: { of: string; bound: number }) => `Could not create the bundle: ${a.of} exceed ${a.bound} bytes`,
    hint: () => 'Create a bundle for fewer environments, or with --since.',
  },
})

/** The files of a new bundle, in a temporary folder. */
export interface BundleStore {
  /** Adds the file with this path. */
  add(path: string, bytes: AsyncIterable<Uint8Array>, budget: Budget): Promise<BundleFile>
  /** Adds a file whose path depends on its digest. */
  addFrom(
    toMember: (file: BundleFile) => BundleMember,
    bytes: AsyncIterable<Uint8Array>,
    budget: Budget,
  ): Promise<BundleFile>
  open(member: BundleMember): AsyncIterable<Uint8Array>
  /** Path of a temporary file with this name. */
  scratch(name: string): string
}

/** Creates a store in an empty folder. */
export function createBundleStore(folder: string): BundleStore {
  const place = (path: string) => join(folder, basename(path))
  const write = async (path: string, bytes: AsyncIterable<Uint8Array>, { of, bound }: Budget): Promise<BundleFile> => {
    const hash = createHash('sha256')
    let size = 0
    async function* readCounted() {
      for await (const chunk of limitBytes(bound, bytes, () => throwIssue(issues.BUNDLE_TOO_LARGE, { of, bound }))) {
        hash.update(chunk)
        size += chunk.length
        yield chunk
      }
    }
    await pipeline(Readable.from(readCounted(), { objectMode: false }), createWriteStream(path, { mode: 0o600 }))
    return { size, sha256: hash.digest('hex') }
  }
  return {
    add: (path, bytes, budget) => write(place(path), bytes, budget),
    async addFrom(toMember, bytes, budget) {
      const fresh = join(folder, 'new')
      const file = await write(fresh, bytes, budget)
      await rename(fresh, place(toMember(file).path))
      return file
    },
    open: ({ path }) => createReadStream(place(path)),
    scratch: (name) => join(folder, name),
  }
}
