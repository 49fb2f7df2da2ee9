// The provenance of a release: an in-toto statement (v1) with the predicate SLSA provenance v1.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { listNodes } from '../package/base-programs.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** @param {string} file */
export function computeFileDigest(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}

/**
 * Returns the statement: the digests of the files, and the commit, the lock file and the Node programs that they were
 * built from. It contains no time and no machine, so that two builds give the same bytes.
 * @param {{ subjects: readonly { name: string, sha256: string }[], version: string, commit: string,
 *   targets: readonly string[] }} release
 */
export function createProvenance({ subjects, version, commit, targets }) {
  const lock = { uri: 'package-lock.json', digest: { sha256: computeFileDigest(join(root, 'package-lock.json')) } }
  const source = { uri: 'plumbline', digest: { gitCommit: commit } }
  const nodes = listNodes()
    .filter(({ target }) => targets.includes(target))
    .map(({ target, version: node, sha512 }) => ({
      uri: `pkg:npm/node-${target}@${node}`,
      digest: { sha512: Buffer.from(sha512, 'base64').toString('hex') },
    }))
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: subjects.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'https://docs.npmjs.com/cli/commands/npm-run',
        externalParameters: { command: 'npm run release', version, targets },
        resolvedDependencies: [source, lock, ...nodes],
      },
      runDetails: { builder: { id: `node ${process.versions.node.split('.')[0]}, npm run release` } },
    },
  }
  return `${JSON.stringify(statement, null, 2)}\n`
}
