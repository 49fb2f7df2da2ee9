import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { writeGitBundle } from '../../../src/code/git/packs/git-bundle.ts'
import { openRepository } from '../../../src/code/git/repository-opener.ts'
import { importBundle } from '../../../src/deploy/bundle/bundle-import.ts'
import { toGitBundleHeader } from '../../../src/deploy/bundle/unpacked-bundle.ts'
import { openGemDirectory } from '../../../src/node/gems/configured-gems.ts'
import { GemInstaller } from '../../../src/node/gems/gem-installation.ts'
import { controlRepository } from '../../support/control-repository.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { fileOf, manifest } from './packed-bundle.ts'

describe('the served commit of an unchanged branch', () => {
  it('must consist of the commit of the branch, because the hooks do not check it', async () => {
    const { bare, push } = controlRepository({ 'manifests/site.pp': '' })
    const commit = push({ 'manifests/site.pp': "notify { 'accepted': }\n" })
    const codeId = push({ 'manifests/site.pp': "notify { 'rejected': }\n" }, 'testing')
    const source = await openRepository(bare)
    const folder = scratchFolder('import')
    const environments = [{ name: 'production', ref: 'refs/heads/production', commit, codeId }]
    const content = { objectFormat: 'sha1', since: [], environments } as const
    const parts: Uint8Array[] = []
    for await (const part of writeGitBundle({ gitDir: bare, quarantine: false }, toGitBundleHeader(content)))
      parts.push(part)
    const path = join(folder, 'code.bundle')
    writeFileSync(path, Buffer.concat(parts))
    const bundle = {
      manifest: { ...manifest, ...content, code: fileOf(''), gems: [], catalogs: [] },
      ...{ signature: undefined, place: () => path },
    }
    const installer = new GemInstaller(openGemDirectory({ vardir: folder }), [])
    const importing = importBundle(bundle, { source, hooks: {}, installer, force: false, say: () => {} })
    await expect(importing).rejects.toThrow(`Commit ${codeId}, which environment production would serve`)
    expect(await source.resolveRef('refs/plumb/deployed/production')).toBeUndefined()
    await source.close()
  })
})
