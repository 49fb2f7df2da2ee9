import { defineIssues, fail, PuppetError } from '../../base/issue.ts'
import type { Json } from '../../base/json/wire.ts'
import { printable } from '../../base/text/printable.ts'
import type { Trust } from '../../ca/x509/chain.ts'
import { commonNameOf } from '../../ca/x509/name.ts'
import { loadSettings, type Settings } from '../../machine/settings/settings.ts'
import { localSystem } from '../../machine/system/local-system.ts'
import { type SignedCatalog, type VerifiedCatalog, verifyCatalog } from '../../model/catalog-signature.ts'
import { jsonFormat, yamlFormat } from '../../node/agent/catalog/catalog-files.ts'
import { caContext } from '../../node/agent/ssl/ssl-context.ts'
import { defineCommand, type Invocation } from '../command/command.ts'
import { type Option, renderAs } from '../command/options.ts'
import { sayError } from '../command/say.ts'

const issues = defineIssues({
  NO_CATALOGS_NAMED: {
    text: (_: object) => 'Which catalogs?',
    hint: () => 'Name their files: plumb catalog verify FILE...',
  },
  CATALOG_FILE_MISSING: { text: (a: { file: string }) => `Could not find the file ${a.file}` },
  SIGNATURE_OF_SEVERAL: { text: (_: object) => 'One signature is of one catalog, and several are named' },
  NO_AUTHORITIES: {
    text: (a: { file: string }) => `Could not find the certificates of the authority: no ${a.file}`,
    hint: () => 'The settings localcacert and hostcrl say where they and the revocation lists are.',
  },
})

const options = [
  {
    flags: '--signature <file>',
    doc: 'The signature: the value of the header X-Plumb-Catalog-Signature. FILE.sig when not given.',
  },
  { flags: '--node <certname>', doc: 'The node whose catalog it has to be.' },
  renderAs,
] as const satisfies readonly Option[]

/** `plumb catalog verify` */
export const catalogVerify = defineCommand({
  name: 'verify',
  summary: 'Looks whether catalogs are as the server signed them.',
  description: `FILE is the last catalog that the agent keeps (client_data/catalog/NAME.json, or .yaml), which has its signature
in it; or the body of an answer, byte for byte, and beside it FILE.sig with its header X-Plumb-Catalog-Signature.
The certificate that signed has to be for catalogs, of the authority in localcacert, in force when it signed, and
not revoked by hostcrl.

  plumb catalog verify /var/lib/plumb/client_data/catalog/web1.example.com.json --node web1.example.com
  plumb catalog verify answer.json --signature header.txt --render-as json

The exit status is 0 when all of them are sound, and 1 when one is not.`,
  usage: '<files...>',
  options,
  run,
})

interface Checked {
  readonly file: string
  readonly proven: VerifiedCatalog | undefined
  readonly error: PuppetError | undefined
}

async function run({ args, options: given, settings: words, io }: Invocation<typeof options>): Promise<number> {
  if (args.length === 0) fail(issues.NO_CATALOGS_NAMED, {})
  if (given.signature !== undefined && args.length > 1) fail(issues.SIGNATURE_OF_SEVERAL, {})
  const trust = await trustOf(loadSettings({ given: words, runMode: 'agent' }))
  const checked: Checked[] = []
  for (const file of args) checked.push(await check(file, given.signature, { trust, node: given.node }))
  if (given.renderAs === 'json') io.out(`${JSON.stringify(checked.map(toJson), undefined, 2)}\n`)
  else
    for (const { file, proven, error } of checked) {
      if (error)
        sayError(error, { ...io, err: (text) => io.err(text.replace(/^Error: /, `Error: ${printable(file)}: `)) })
      if (proven) io.out(`${printable(file)}: ${inWords(proven)}\n`)
    }
  return checked.every(({ error }) => error === undefined) ? 0 : 1
}

async function trustOf({ localcacert, hostcrl, certificate_revocation }: Settings): Promise<Trust> {
  const { files } = localSystem
  const authorities = (await files.readText(localcacert)) ?? fail(issues.NO_AUTHORITIES, { file: localcacert })
  return caContext(authorities, await files.readText(hostcrl), certificate_revocation).trust
}

async function check(
  file: string,
  signature: string | undefined,
  { trust, node }: { readonly trust: Trust; readonly node: string | undefined },
): Promise<Checked> {
  try {
    const catalog = await catalogIn(file, signature)
    const now = new Date(localSystem.now())
    return { file, proven: verifyCatalog(catalog, { trust, now, node }), error: undefined }
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    return { file, proven: undefined, error }
  }
}

/** A catalog as the agent keeps it, or as it was sent, with its signature in a file of its own. */
async function catalogIn(file: string, signatureFile: string | undefined): Promise<SignedCatalog> {
  const { files } = localSystem
  const text = (await files.readText(file)) ?? fail(issues.CATALOG_FILE_MISSING, { file })
  const format = text.startsWith('#') || text.startsWith('---') ? yamlFormat : jsonFormat
  const catalog = format.parse(text, file)
  if (catalog.signature !== undefined && signatureFile === undefined) return catalog
  const beside = await files.readText(signatureFile ?? `${file}.sig`)
  if (beside === undefined && signatureFile !== undefined) fail(issues.CATALOG_FILE_MISSING, { file: signatureFile })
  return { ...catalog, signature: beside?.replace(/^x-plumb-catalog-signature:/i, '').trim() }
}

function inWords({ node, environment, codeId, time, signer }: VerifiedCatalog): string {
  const code = codeId === undefined ? '' : ` at ${printable(codeId)}`
  const who = commonNameOf(signer.subject) ?? ''
  return `of ${printable(node)}, environment ${printable(environment)}${code}, signed ${time} by ${printable(who)}`
}

function toJson({ file, proven, error }: Checked): Json {
  if (!proven) {
    const { code, message, hint } = error!.diagnostic
    return { file, verified: false, code, message, hint }
  }
  const { signer, codeId: code_id, digest, node, environment, time } = proven
  const by = { signer: commonNameOf(signer.subject) ?? '', serial: signer.serial.toString(16) }
  return { file, verified: true, node, environment, code_id, digest, time, ...by }
}
