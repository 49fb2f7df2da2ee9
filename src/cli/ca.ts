import { dirname } from 'node:path'
import { defineIssues, errorOf, fail, isIssue, PuppetError } from '../base/issue.ts'
import { printable } from '../base/printable.ts'
import { utcText } from '../base/utc-text.ts'
import { saveSigner } from '../ca/catalog-signer.ts'
import type { CertificateAuthority } from '../ca/certificate-authority.ts'
import { authorityFrom, ensureAuthority, keyKindOf } from '../ca/from-settings.ts'
import { ensureHostCertificate, replaceHostCertificate, saveTrust } from '../ca/host-files.ts'
import { conflicts, troubles } from '../ca/issues.ts'
import { caLayout } from '../ca/layout.ts'
import { renewAuthority } from '../ca/renew-authority.ts'
import { authorityExists, importAuthority } from '../ca/setup.ts'
import type { CertificateState, CertificateStatus } from '../ca/status.ts'
import { loadSettings, type Settings } from '../settings/settings.ts'
import { localSystem } from '../system/local-system.ts'
import { certificatePem, parseCertificate } from '../x509/certificate.ts'
import { privateKeyPem, publicKeyPem } from '../x509/keys.ts'
import { nameText } from '../x509/name.ts'
import type { Command, Invocation, Io } from './command.ts'
import type { MayHave, Option } from './options.ts'
import { sayError } from './say.ts'

const issues = defineIssues({
  // Puppet Server's CA tool names what it misses so, for each certname.
  CERTNAME_WITHOUT_REQUEST: { text: (a: { name: string }) => `Could not find certificate request for ${a.name}` },
  CERTNAME_WITHOUT_CERTIFICATE: { text: (a: { name: string }) => `Could not find certificate for ${a.name}` },
  CERTNAME_UNKNOWN: { text: (a: { name: string }) => `Could not find files for ${a.name}` },
  CERTNAME_HAS_FILES: {
    text: (a: { name: string; path: string }) =>
      `Existing file at '${a.path}'\nPlease delete these files if you really want to generate a new cert for ${a.name}.`,
  },
  NO_CERTNAMES: {
    text: (a: { action: string }) => `Must specify which certificates to ${a.action}`,
    hint: (a) => `Name them: 'plumb ca ${a.action} NAME', or --certname NAME[,NAME].`,
  },
  NAMES_AND_ALL: {
    text: (a: { option: string }) => `Certificates are named, and ${a.option} means others, too`,
    hint: (a) => `Name them, or give ${a.option}.`,
  },
  OPTION_MISSING: { text: (a: { flags: string }) => `Missing option: ${a.flags}` },
  CA_FILE_UNREADABLE: { text: (a: { path: string }) => `Could not read file '${a.path}'` },
  FINGERPRINT: {
    text: (a: { text: string }) => `Invalid fingerprint '${a.text}'`,
    hint: () => "It goes with one certname, and is the SHA-256 that 'plumb ca list' shows.",
  },
  TTL: { text: (a: { text: string }) => `Invalid ttl '${a.text}': it takes a length of time such as 90d, 5y or 3600` },
})

const certname = {
  flags: '--certname <names>',
  doc: 'One name, or several with commas between; as if they stood alone.',
} as const satisfies Option
/** As `puppet cert` took them; `puppetserver ca` wants the option. */
const certnames = '[certnames...]'
const own = { flags: '--certname <name>', doc: "This server's name." } as const satisfies Option
const altNames = {
  flags: '--subject-alt-names <names>',
  doc: 'Further names, with commas between: DNS:name, IP:address, or bare for DNS.',
} as const satisfies Option
const caName = { flags: '--ca-name <name>', doc: "The name in the authority's certificate." } as const satisfies Option
const ttl = { flags: '--ttl <duration>', doc: 'How long it is good: 90d, 5y.' } as const satisfies Option

/** The options of each action. */
const actions = {
  setup: [own, altNames, caName],
  import: [
    { flags: '--private-key <path>', doc: "The authority's key, PEM." },
    { flags: '--cert-bundle <path>', doc: "The authority's certificate and those above it, PEM." },
    { flags: '--crl-chain <path>', doc: 'A revocation list of each of them, PEM.' },
    own,
    altNames,
  ],
  list: [
    { flags: '--all', doc: 'Signed and revoked certificates too.' },
    certname,
    { flags: '--format <format>', doc: 'text or json.', choices: ['text', 'json'], default: 'text' },
  ],
  sign: [
    { flags: '--all', doc: 'Every request that waits.' },
    certname,
    ttl,
    {
      flags: '--fingerprint <sha256>',
      doc: 'The fingerprint that was listed, with one certname: no other request is signed.',
    },
  ],
  revoke: [certname],
  clean: [{ flags: '--requested', doc: 'Every request that waits, and no certificate.' }, certname],
  generate: [
    certname,
    altNames,
    ttl,
    { flags: '--ca-client', doc: 'It may manage this authority over HTTP.' },
    {
      flags: '--catalog-signer <file>',
      doc: 'A key that signs the catalogs of the server of this name, and its certificate, in one file.',
    },
  ],
  renew: [certname, { flags: '--ca', doc: "The authority's own certificate." }, ttl],
} as const satisfies Record<string, readonly Option[]>

/** The input of an action. */
type Given<Action extends keyof typeof actions> = Invocation<(typeof actions)[Action]>

/** Input that most actions have. */
type Asked = Pick<Invocation, 'args' | 'settings'> & {
  readonly options: MayHave<readonly [typeof certname, typeof altNames, typeof caName]>
}

/** `plumb ca` */
export const ca: Command = {
  name: 'ca',
  summary: 'Manages the certificate authority.',
  description: `Works on the files of the authority (the setting cadir), beside a running server or without one.

  plumb ca list --all
  plumb ca sign web1.example.com web2.example.com
  plumb ca sign --certname web1.example.com,web2.example.com    # the same, as Puppet Server has it
  plumb ca clean web1.example.com

The exit status is 0, or 1 when something could not be done for one of the names.`,
  commands: [
    {
      name: 'setup',
      summary: 'Makes a new authority, and a certificate for this server.',
      options: actions.setup,
      run: setup,
    },
    {
      name: 'import',
      summary: 'Takes over an authority that was made elsewhere.',
      options: actions.import,
      run: importing,
    },
    {
      name: 'list',
      summary: 'Lists requests that wait; with --all, certificates too.',
      usage: certnames,
      options: actions.list,
      run: list,
    },
    {
      name: 'sign',
      summary: 'Signs requests.',
      usage: certnames,
      options: actions.sign,
      run: sign,
    },
    { name: 'revoke', summary: 'Revokes certificates.', usage: certnames, options: actions.revoke, run: revoke },
    {
      name: 'clean',
      summary: 'Revokes certificates, and removes them and their requests.',
      usage: certnames,
      options: actions.clean,
      run: clean,
    },
    {
      name: 'generate',
      summary: 'Makes a key and a certificate, without a request.',
      usage: certnames,
      options: actions.generate,
      run: generate,
    },
    {
      name: 'renew',
      summary: "Signs certificates anew, or the authority's own.",
      usage: certnames,
      description: `Keys and extensions stay. What has expired is renewed, too, and what is revoked never is. A host fetches its new
certificate with 'plumb ssl download_cert'; the server's own is put in its place. With --ca it is the certificate of the
authority itself: all that it has signed stays good. A running server takes what is new when it gets SIGHUP.

  plumb ca renew web1.example.com
  plumb ca renew --ca`,
      options: actions.renew,
      run: renew,
    },
  ],
}

async function setup(invocation: Given<'setup'>): Promise<number> {
  const settings = settingsOf(invocation)
  if (await authorityExists(settings.cadir, localSystem))
    fail(troubles.CA_EXISTS, { file: caLayout(settings.cadir).certificate })
  await ensureAuthority(settings, localSystem)
  await ensureHostCertificate(settings, await authorityFrom(settings, localSystem), localSystem)
  invocation.io.out(`Generation succeeded. Find your files in ${settings.cadir}\n`)
  return 0
}

async function importing(invocation: Given<'import'>): Promise<number> {
  const settings = settingsOf(invocation)
  const read = async (flag: string, value: string | undefined) => {
    if (value === undefined) fail(issues.OPTION_MISSING, { flags: flag })
    return (await localSystem.files.readText(value)) ?? fail(issues.CA_FILE_UNREADABLE, { path: value })
  }
  const { privateKey, certBundle, crlChain } = invocation.options
  await importAuthority({
    cadir: settings.cadir,
    privateKey: await read('--private-key', privateKey),
    certificates: await read('--cert-bundle', certBundle),
    revocationLists: await read('--crl-chain', crlChain),
    leastKeyBits: settings.minimum_keylength,
    system: localSystem,
  })
  await ensureHostCertificate(settings, await authorityFrom(settings, localSystem), localSystem)
  invocation.io.out(`Import succeeded. Find your files in ${settings.cadir}\n`)
  return 0
}

const titles = { requested: 'Requested', signed: 'Signed', revoked: 'Revoked', broken: 'Broken' } as const
const states = ['requested', 'signed', 'revoked', 'broken'] as const

async function list(invocation: Given<'list'>): Promise<number> {
  const { options, io } = invocation
  const authority = await authorityOf(invocation)
  const named = namesGiven(invocation)
  const wanted = named.length === 0 ? undefined : named
  const all = await authority.statuses()
  const shown = options.all ? all : all.filter(({ state }) => state === 'requested' || state === 'broken')
  const sought = new Set(wanted)
  const found = wanted ? all.filter(({ name }) => sought.has(name)) : shown
  const known = new Set(found.map(({ name }) => name))
  const missing = (wanted ?? []).filter((name) => !known.has(name))
  const inState = (state: CertificateState) => found.filter((status) => status.state === state)
  const broken = inState('broken')
  const groups = {
    requested: inState('requested'),
    signed: inState('signed'),
    revoked: inState('revoked'),
    // Nothing is broken but for damage: other programs know the three lists.
    ...(broken.length > 0 && { broken }),
  }
  if (options.format === 'json') io.out(`${JSON.stringify({ ...groups, missing })}\n`)
  else listAsText(groups, missing, Boolean(options.all || wanted), io)
  return missing.length > 0 ? 1 : 0
}

function listAsText(
  groups: Readonly<Partial<Record<CertificateState, readonly CertificateStatus[]>>>,
  missing: readonly string[],
  all: boolean,
  io: Io,
): void {
  const found = Object.values(groups).flat()
  if (found.length + missing.length === 0)
    io.out(all ? 'No certificates to list\n' : 'No certificate requests to list\n')
  const width = Math.max(0, ...found.map(({ name }) => name.length))
  for (const state of states) {
    const group = groups[state] ?? []
    if (group.length > 0) io.out(`${titles[state]} Certificates:\n`)
    for (const status of group) io.out(`${lineOf(status, width)}\n`)
  }
  if (missing.length > 0) io.out(`Missing Certificates:\n${missing.map((name) => `    ${printable(name)}\n`).join('')}`)
}

/** A row that cannot be forged: every cell is one line, and the names in it are the requester's words. */
function lineOf(status: CertificateStatus, width: number): string {
  const { name, fingerprints, subject_alt_names: names, authorization_extensions: extensions } = status
  const quoted = names.map((each) => `"${printable(each)}"`).join(', ')
  const authorizations = Object.entries(extensions).map(([key, value]) => `${key}: ${printable(value)}`)
  if (status.problem !== undefined) return `    ${name.padEnd(width)}       ${printable(status.problem)}`
  return [
    `    ${name.padEnd(width)}       (SHA256)  ${fingerprints.SHA256}`,
    ...(names.length > 0 ? [`alt names: [${quoted}]`] : []),
    ...(authorizations.length > 0 ? [`authorization extensions: [${authorizations.join(', ')}]`] : []),
  ].join('\t')
}

async function sign(invocation: Given<'sign'>): Promise<number> {
  const { options, io } = invocation
  const authority = await authorityOf(invocation)
  const waiting = isForAll(options.all, '--all', invocation) ? await authority.waiting() : undefined
  if (waiting?.length === 0) {
    io.out('No waiting certificate requests to sign\n')
    return 0
  }
  const seconds = durationIn(options.ttl)
  const seen = new Map(waiting?.map(({ name, fingerprint }) => [name, fingerprint]))
  const names = waiting ? [...seen.keys()] : required(invocation, 'sign')
  const compared = fingerprintIn(options.fingerprint, names)
  return forEach(names, io, async (name) => {
    await authority.sign(name, { ttl: seconds, fingerprint: compared ?? seen.get(name) }).catch((error) => {
      throw isIssue(error, conflicts.NO_REQUEST) ? errorOf(issues.CERTNAME_WITHOUT_REQUEST, { name }) : error
    })
    return `Successfully signed certificate request for ${name}`
  })
}

async function revoke(invocation: Given<'revoke'>): Promise<number> {
  const authority = await authorityOf(invocation)
  return forEach(required(invocation, 'revoke'), invocation.io, async (name) => {
    await authority.revoke(name).catch((error) => {
      throw isIssue(error, conflicts.NO_SIGNED_CERT) ? errorOf(issues.CERTNAME_WITHOUT_CERTIFICATE, { name }) : error
    })
    return `Certificate for ${name} has been revoked`
  })
}

async function clean(invocation: Given<'clean'>): Promise<number> {
  const authority = await authorityOf(invocation)
  if (isForAll(invocation.options.requested, '--requested', invocation)) {
    const names = (await authority.waiting()).map(({ name }) => name)
    return forEach(names, invocation.io, async (name) => {
      await authority.removeRequest(name)
      return `Cleaned files related to ${name}`
    })
  }
  return forEach(required(invocation, 'clean'), invocation.io, async (name) => {
    if ((await authority.status(name)) === undefined) fail(issues.CERTNAME_UNKNOWN, { name })
    await authority.clean([name])
    return `Cleaned files related to ${name}`
  })
}

async function renew(invocation: Given<'renew'>): Promise<number> {
  const authority = await authorityOf(invocation)
  const settings = settingsOf(invocation)
  const seconds = durationIn(invocation.options.ttl) ?? settings.ca_ttl
  if (invocation.options.ca) await renewOwn(invocation, authority, seconds)
  const isOwnOnly = invocation.options.ca && namesGiven(invocation).length === 0
  const names = isOwnOnly ? [] : required(invocation, 'renew')
  return forEach(names, invocation.io, async (name) => {
    const pem = await authority.certificate(name)
    if (pem === undefined) fail(issues.CERTNAME_WITHOUT_CERTIFICATE, { name })
    const certificate = await authority.renew(parseCertificate(pem), { ttl: seconds, evenExpired: true })
    const { hostcert } = settingsOf(invocation, name)
    const here = await replaceHostCertificate(hostcert, certificate, localSystem)
    const saved = here ? `\nSaved it to ${hostcert}; a running server takes it when it gets SIGHUP` : ''
    return `Renewed certificate for ${name}: serial ${certificate.serial}${saved}`
  })
}

async function renewOwn(invocation: Given<'renew'>, authority: CertificateAuthority, ttl: number): Promise<void> {
  const settings = settingsOf(invocation)
  const { subject, notAfter } = await renewAuthority(settings.cadir, ttl, localSystem)
  await authority.refreshRevocationList()
  await saveTrust(settings, authority, localSystem)
  const name = printable(nameText(subject))
  invocation.io.out(`Renewed the certificate of the authority '${name}': good until ${utcText(notAfter)}\n`)
  invocation.io.out('A running server takes it when it gets SIGHUP\n')
}

async function generate(invocation: Given<'generate'>): Promise<number> {
  const { options, io } = invocation
  const { files } = localSystem
  const authority = await authorityOf(invocation)
  const { catalogSigner } = options
  return forEach(required(invocation, 'generate'), io, async (name) => {
    if (catalogSigner !== undefined) return generateSigner(authority, name, catalogSigner)
    const paths = settingsOf(invocation, name)
    const places = { 'private key': paths.hostprivkey, 'public key': paths.hostpubkey, certificate: paths.hostcert }
    for (const path of Object.values(places))
      if (await files.stat(path)) fail(issues.CERTNAME_HAS_FILES, { name, path })
    const { key, certificate } = await authority.generate(name, {
      key: keyKindOf(paths),
      altNames: options.subjectAltNames === undefined ? [] : namesIn(options.subjectAltNames),
      administers: options.caClient === true,
      ttl: durationIn(options.ttl),
    })
    for (const path of Object.values(places)) await files.makeDirectory(dirname(path), 0o750)
    await files.write(paths.hostprivkey, privateKeyPem(key), 0o600)
    await files.write(paths.hostpubkey, publicKeyPem(key), 0o644)
    await files.write(paths.hostcert, certificatePem(certificate), 0o644)
    return Object.entries(places)
      .map(([what, path]) => `Successfully saved ${what} for ${name} to ${path}`)
      .join('\n')
  })
}

/** A signer for a server that has no authority of its own: its `catalog_signer`. */
async function generateSigner(authority: CertificateAuthority, name: string, path: string): Promise<string> {
  const { files } = localSystem
  if (await files.stat(path)) fail(issues.CERTNAME_HAS_FILES, { name, path })
  await saveSigner(await authority.generateSigner(name), path, { files })
  return `Successfully saved the key that signs catalogs of ${name} to ${path}`
}

async function forEach(names: readonly string[], io: Io, act: (name: string) => Promise<string>): Promise<number> {
  let status = 0
  for (const name of names) {
    try {
      io.out(`${await act(name)}\n`)
    } catch (error) {
      if (!(error instanceof PuppetError)) throw error
      sayError(error, io)
      status = 1
    }
  }
  return status
}

function authorityOf(invocation: Asked): Promise<CertificateAuthority> {
  return authorityFrom(settingsOf(invocation), localSystem)
}

/** The settings; with `--certname` of `setup` and `import`, or for another `name`. */
function settingsOf({ settings, options }: Asked, name?: string): Settings {
  const { caName: ca_name, certname: given, subjectAltNames: dns_alt_names } = options
  const self = name ?? (given !== undefined && !given.includes(',') ? given : undefined)
  return loadSettings({
    given: {
      ...settings,
      ...(self === undefined ? {} : { certname: self }),
      ...(ca_name === undefined ? {} : { ca_name }),
      ...(dns_alt_names === undefined ? {} : { dns_alt_names }),
    },
    runMode: 'server',
  })
}

function required(invocation: Asked, action: string): readonly string[] {
  const names = namesGiven(invocation)
  if (names.length === 0) fail(issues.NO_CERTNAMES, { action })
  return names
}

/** True when an option is given that stands for names. Throws NAMES_AND_ALL beside names. */
function isForAll(isGiven: boolean | undefined, option: '--all' | '--requested', invocation: Asked): boolean {
  if (!isGiven) return false
  if (namesGiven(invocation).length > 0) fail(issues.NAMES_AND_ALL, { option })
  return true
}

/** Certnames of a command line, after `--certname` or bare, each once. */
function namesGiven({ args, options }: Asked): readonly string[] {
  return [...new Set([options.certname ?? [], args].flat().flatMap(namesIn))]
}

function namesIn(value: string): readonly string[] {
  return value
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

/** A fingerprint as `list` shows it, given with or without colons; `undefined` when nothing is given. */
function fingerprintIn(value: string | undefined, names: readonly string[]): string | undefined {
  if (value === undefined) return undefined
  const digits = value.replaceAll(':', '').toUpperCase()
  if (names.length !== 1 || !/^[0-9A-F]{64}$/.test(digits)) fail(issues.FINGERPRINT, { text: value })
  return digits.match(/../g)!.join(':')
}

const units: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3600, d: 86_400, y: 31_536_000 }

/** Seconds of `90d`; `undefined` when nothing is given. */
function durationIn(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const match = /^(\d+)([smhdy]?)$/.exec(value)
  return match ? Number(match[1]) * units[match[2]!]! : fail(issues.TTL, { text: value })
}
