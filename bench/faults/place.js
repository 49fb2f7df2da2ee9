// What the server works on: an authority, its code, who asks it. All in one folder.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toCertificatePem } from '#built/ca/x509/certificate.js'
import { toPrivateKeyPem } from '#built/ca/x509/keys.js'
import { loadSettings } from '#built/machine/settings/settings.js'
import { localSystem } from '#built/machine/system/local-system.js'
import { openConfiguredAuthority } from '#built/store/authority/configured-authority.js'
import { main, placesIn } from '../server/plumbline.js'
import { git, makeBranch, makeModule } from './code.js'

/** Who may do everything, and nodes that report. */
export const administrator = 'admin.faults.test'
export const nodes = ['node1.faults.test', 'node2.faults.test', 'node3.faults.test']
/** Requests of such names are signed at once. */
export const signedAtOnce = '.auto.test'
const ec = { type: /** @type {const} */ ('ec'), curve: 'prime256v1' }

/** Makes all; `code` says whether the server has a repository of its own, or fetches from sources. */
export async function makePlace(folder, { code, certificates, store }) {
  execFileSync(process.execPath, [main, 'ca', 'setup', '--certname', 'localhost', ...placesIn(folder)], {
    stdio: 'ignore',
  })
  const given = { confdir: join(folder, 'plumbline/etc'), vardir: join(folder, 'plumbline/var'), certname: 'localhost' }
  const settings = loadSettings({ given, runMode: 'server', env: {} })
  const authority = await openConfiguredAuthority(settings, localSystem)
  const credentials = {}
  for (const name of [administrator, ...nodes]) {
    const made = await authority.generate(name, { key: ec, administers: name === administrator })
    credentials[name] = { key: toPrivateKeyPem(made.key), cert: toCertificatePem(made.certificate) }
  }
  // From so many on, a list of certificates is read from an index.
  for (let at = 0; at < certificates; at++) await authority.generate(`many${at}.faults.test`, { key: ec })
  const gitFiles = { key: join(folder, 'admin.key.pem'), cert: join(folder, 'admin.cert.pem') }
  for (const kind of /** @type {const} */ (['key', 'cert']))
    writeFileSync(gitFiles[kind], credentials[administrator][kind], { mode: 0o600 })
  const autosign = join(folder, 'autosign.conf')
  writeFileSync(autosign, `*${signedAtOnce}\n`)
  const repositories = await makeCode(folder, code)
  return {
    folder,
    cadir: settings.cadir,
    confdir: settings.confdir,
    vardir: settings.vardir,
    auditdir: settings.auditdir,
    ca: (await authority.certificates()).pem,
    credentials,
    gitFiles,
    ...repositories,
    settings: [
      ...['--autosign', autosign, '--store', store, '--puppetfile_sources', folder, '--compile_workers', '2'],
      ...repositories.settings,
    ],
  }
}

/** `production`, which is pushed over HTTPS, and `site`, which comes in another way. */
async function makeCode(folder, code) {
  const bare = join(folder, 'control.git')
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=production', bare])
  const module = makeModule(folder)
  const motd = await module.change()
  const production = makeBranch(folder, 'pushed', 'production', module)
  const site = makeBranch(folder, 'fetched', 'site', module)
  for (const branch of [production, site]) await branch.change(undefined, motd)
  await git(production.work, ['push', '--quiet', bare, 'production'])
  if (code === 'repository') {
    await git(site.work, ['push', '--quiet', bare, 'site'])
    const tips = { production: bare, site: bare }
    return { code, module, bare, gitDir: bare, tips, production, site, settings: ['--repo', bare] }
  }
  const sources = join(folder, 'r10k.yaml')
  const [control, other] = [{ remote: bare }, { remote: join(site.work, '.git') }].map((each) => ({
    ...each,
    interval: '1s',
  }))
  writeFileSync(sources, JSON.stringify({ sources: { control, other } }))
  const gitDir = join(folder, 'plumbline/var/sources/code.git')
  const tips = { production: bare, site: join(site.work, '.git') }
  const settings = ['--code_sources', sources, '--git_repositories', 'control']
  return { code, module, bare, gitDir, tips, production, site, settings }
}
