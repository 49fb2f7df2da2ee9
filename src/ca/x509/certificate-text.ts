import { toPrintable } from '../../base/text/printable.ts'
import type { Certificate } from './certificate.ts'
import { formatDistinguishedName } from './distinguished-name.ts'
import {
  type Extension,
  findAuthorityKeyIdentifier,
  findSubjectKeyIdentifier,
  getExtensionText,
  isAuthority,
  listExtendedKeyUses,
  listKeyUses,
  listSubjectAltNames,
} from './extensions.ts'
import { getPuppetShortName, isPuppetOid, oids } from './oids.ts'

/** Formats a certificate as readable text, in the layout of OpenSSL. */
export function formatCertificate(certificate: Certificate): string {
  const { serial, issuer, subject, notBefore, notAfter, publicKey, extensions, signature } = certificate
  const { modulusLength, namedCurve } = publicKey.asymmetricKeyDetails ?? {}
  return [
    'Certificate:',
    '    Data:',
    '        Version: 3 (0x2)',
    `        Serial Number: ${serial} (0x${serial.toString(16)})`,
    `        Issuer: ${toPrintable(formatDistinguishedName(issuer))}`,
    '        Validity',
    `            Not Before: ${formatDate(notBefore)}`,
    `            Not After : ${formatDate(notAfter)}`,
    `        Subject: ${toPrintable(formatDistinguishedName(subject))}`,
    '        Subject Public Key Info:',
    `            Public Key Algorithm: ${publicKey.asymmetricKeyType}`,
    `                Public-Key: (${modulusLength === undefined ? namedCurve : `${modulusLength} bit`})`,
    '        X509v3 extensions:',
    ...extensions.flatMap((extension) => [
      `            ${formatTitle(extension.oid)}:${extension.critical ? ' critical' : ''}`,
      `                ${formatExtension(extension, extensions)}`,
    ]),
    '    Signature Value:',
    ...(signature.toString('hex').match(/.{1,36}/g) ?? []).map((line) => `        ${formatHexBytes(line)}`),
    '',
  ].join('\n')
}

const titles: Readonly<Record<string, string>> = {
  [oids.subjectKeyIdentifier]: 'X509v3 Subject Key Identifier',
  [oids.keyUsage]: 'X509v3 Key Usage',
  [oids.subjectAltName]: 'X509v3 Subject Alternative Name',
  [oids.basicConstraints]: 'X509v3 Basic Constraints',
  [oids.authorityKeyIdentifier]: 'X509v3 Authority Key Identifier',
  [oids.extendedKeyUsage]: 'X509v3 Extended Key Usage',
  [oids.netscapeComment]: 'Netscape Comment',
}

function formatTitle(oid: string): string {
  return titles[oid] ?? getPuppetShortName(oid)
}

const uses: Readonly<Record<string, string>> = {
  digitalSignature: 'Digital Signature',
  keyEncipherment: 'Key Encipherment',
  keyCertSign: 'Certificate Sign',
  cRLSign: 'CRL Sign',
  [oids.serverAuth]: 'TLS Web Server Authentication',
  [oids.clientAuth]: 'TLS Web Client Authentication',
}

const formatKeyUses = (all: readonly string[]): string => all.map((use) => uses[use] ?? use).join(', ')

function formatExtension(extension: Extension, all: readonly Extension[]): string {
  const { oid, value } = extension
  switch (oid) {
    case oids.subjectAltName:
      return listSubjectAltNames(all).map(toPrintable).join(', ')
    case oids.basicConstraints:
      return isAuthority(all) ? 'CA:TRUE' : 'CA:FALSE'
    case oids.keyUsage:
      return formatKeyUses(listKeyUses(extension))
    case oids.extendedKeyUsage:
      return formatKeyUses(listExtendedKeyUses(extension))
    case oids.subjectKeyIdentifier:
      return formatHexBytes((findSubjectKeyIdentifier(all) ?? value).toString('hex'))
    case oids.authorityKeyIdentifier:
      return `keyid:${formatHexBytes((findAuthorityKeyIdentifier(all) ?? value).toString('hex'))}`
    default: {
      const isText = oid === oids.netscapeComment || isPuppetOid(oid)
      return isText ? toPrintable(getExtensionText(extension)) : formatHexBytes(value.toString('hex'))
    }
  }
}

function formatHexBytes(hex: string): string {
  return hex.toUpperCase().replace(/..(?=.)/g, '$&:')
}

/** Formats a time such as `Nov 20 13:43:51 2031 GMT`. */
function formatDate(date: Date): string {
  const [, day, month, year, time] = date.toUTCString().split(' ')
  return `${month} ${String(Number(day)).padStart(2)} ${time} ${year} GMT`
}
