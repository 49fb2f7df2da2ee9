import { defineIssues, PuppetError, throwIssue } from '../../base/issue.ts'
import type { Json } from '../../base/json/json-checks.ts'
import { toPrintable } from '../../base/text/printable.ts'
import type { ChainTrust } from '../../ca/x509/chain.ts'
import { findCommonName } from '../../ca/x509/distinguished-name.ts'
import { loadSettings, type Settings } from '../../machine/settings/settings.ts'
import { localSystem } from '../../machine/system/local-system.ts'
import { type SignedCatalog, type VerifiedCatalog, verifyCatalog } from '../../model/catalog-signature.ts'
import { jsonCatalogFormat, yamlCatalogFormat } from '../../node/agent/catalog/catalog-files.ts'
import { createCaContext } from '../../node/agent/ssl/ssl-context.ts'
import { type CommandInvocation, defineCommand } from '../command/command.ts'
import { printError } from '../command/messages.ts'
import { type Option, renderAs } from '../command/options.ts'

const issues = defineIssues({
  NO_CATALOGS_NAMED: {
    text: (_: object) => 'No catalog files given',
    hint: () => "Use 'plumb catalog verify FILE...'.",
  },
  CATALOG_FILE_MISSING: { text: (a: { file: string }) => `Could not find the file ${a.file}` },
  SIGNATURE_OF_SEVERAL: { text: (_: object) => '--signature requires a single catalog, but several are given' },
  NO_AUTHORITIES: {
    text: (a: { file: string }) => `Could not find the CA certificates: ${a.file} does not exist`,
    hint: () => 'Set localcacert to the CA certificates, and hostcrl to the revocation lists.',
  },
})

const options = [
  {
    flags: '--signature <file>',
    doc: 'File with the value of the header X-Plumb-Catalog-Signature. Default: FILE.sig.',
  },
  { flags: '--node <certname>', doc: 'Fail if the catalog belongs to another node.' },
  renderAs,
] as const satisfies readonly Option[]

/** The command `plumb catalog verify`. */
export const catalogVerify = defineCommand({
  name: 'verify',
  summary: 'Verify the signatures of catalogs.',
  description: `FILE is a catalog cached by the agent (client_data/catalog/NAME.json or .yaml), which contains its signature; or the
unchanged body of a response, with the header X-Plumb-Catalog-Signature in FILE.sig. The signing certificate must be a
catalog signer of a CA in localcacert, valid at the time of the signature, and not revoked in hostcrl.

  plumb catalog verify /var/lib/plumb/client_data/catalog/web1.example.com.json --node web1.example.com
  plumb catalog verify answer.json --signature header.txt --render-as json

Exits with 0 if all signatures are valid, otherwise with 1.`,
  usage: '<files...>',
  options,
  run: verifyCatalogs,
})

interface Checked {
  readonly file: string
  readonly proven: VerifiedCatalog | undefined
  readonly error: PuppetError | undefined
}

async function verifyCatalogs({
  args,
  options: given,
  settings: words,
  io,
}: CommandInvocation<typeof options>): Promise<number> {
  if (args.length === 0) throwIssue(issues.NO_CATALOGS_NAMED, {})
  if (given.signature !== undefined && args.length > 1) throwIssue(issues.SIGNATURE_OF_SEVERAL, {})
  const trust = await readTrustAnchors(loadSettings({ given: words, runMode: 'agent' }))
  const checked: Checked[] = []
  for (const file of args) checked.push(await verifyFile(file, given.signature, { trust, node: given.node }))
  if (given.renderAs === 'json') io.out(`${JSON.stringify(checked.map(toJson), undefined, 2)}\n`)
  else
    for (const { file, proven, error } of checked) {
      if (error)
        printError(error, { ...io, err: (text) => io.err(text.replace(/^Error: /, `Error: ${toPrintable(file)}: `)) })
      if (proven) io.out(`${toPrintable(file)}: ${formatVerifiedCatalog(proven)}\n`)
    }
  return checked.every(({ error }) => error === undefined) ? 0 : 1
}

async function readTrustAnchors({ localcacert, hostcrl, certificate_revocation }: Settings): Promise<ChainTrust> {
  const { files } = localSystem
  const authorities = (await files.readText(localcacert)) ?? throwIssue(issues.NO_AUTHORITIES, { file: localcacert })
  return createCaContext(authorities, await files.readText(hostcrl), certificate_revocation).trust
}

async function verifyFile(
  file: string,
  signature: string | undefined,
  { trust, node }: { readonly trust: ChainTrust; readonly node: string | undefined },
): Promise<Checked> {
  try {
    const catalog = await readSignedCatalog(file, signature)
    const now = new Date(localSystem.now())
    return { file, proven: verifyCatalog(catalog, { trust, now, node }), error: undefined }
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    return { file, proven: undefined, error }
  }
}

/** Reads a cached catalog that contains its signature, or a response body with its signature in another file. */
async function readSignedCatalog(file: string, signatureFile: string | undefined): Promise<SignedCatalog> {
  const { files } = localSystem
  const text = (await files.readText(file)) ?? throwIssue(issues.CATALOG_FILE_MISSING, { file })
  const format = text.startsWith('#') || text.startsWith('---') ? yamlCatalogFormat : jsonCatalogFormat
  const catalog = format.parse(text, file)
  if (catalog.signature !== undefined && signatureFile === undefined) return catalog
  const beside = await files.readText(signatureFile ?? `${file}.sig`)
  if (beside === undefined && signatureFile !== undefined)
    throwIssue(issues.CATALOG_FILE_MISSING, { file: signatureFile })
  return { ...catalog, signature: beside?.replace(/^x-plumb-catalog-signature:/i, '').trim() }
}

function formatVerifiedCatalog({ node, environment, codeId, time, signer }: VerifiedCatalog): string {
  const code = codeId === undefined ? '' : ` at ${toPrintable(codeId)}`
  const who = findCommonName(signer.subject) ?? ''
  return `of ${toPrintable(node)}, environment ${toPrintable(environment)}${code}, signed ${time} by ${toPrintable(who)}`
}

function toJson({ file, proven, error }: Checked): Json {
  if (!proven) {
    const { code, message, hint } = error!.diagnostic
    return { file, verified: false, code, message, hint }
  }
  const { signer, codeId: code_id, digest, node, environment, time } = proven
  const by = { signer: findCommonName(signer.subject) ?? '', serial: signer.serial.toString(16) }
  return { file, verified: true, node, environment, code_id, digest, time, ...by }
}
