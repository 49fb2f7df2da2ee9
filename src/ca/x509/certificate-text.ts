import { printable } from '../../base/text/printable.ts'
import type { Certificate } from './certificate.ts'
import {
  authorityKeyIdentifierOf,
  type Extension,
  extendedKeyUsesOf,
  extensionText,
  isAuthority,
  keyUsesOf,
  subjectAltNames,
  subjectKeyIdentifierOf,
} from './extensions.ts'
import { nameText } from './name.ts'
import { isWithin, oids, puppetArcs, puppetNameOf } from './oids.ts'

/** Formats a certificate as readable text, in the layout of OpenSSL. */
export function certificateText(certificate: Certificate): string {
  const { serial, issuer, subject, notBefore, notAfter, publicKey, extensions, signature } = certificate
  const { modulusLength, namedCurve } = publicKey.asymmetricKeyDetails ?? {}
  return [
    'Certificate:',
    '    Data:',
    '        Version: 3 (0x2)',
    `        Serial Number: ${serial} (0x${serial.toString(16)})`,
    `        Issuer: ${printable(nameText(issuer))}`,
    '        Validity',
    `            Not Before: ${dateText(notBefore)}`,
    `            Not After : ${dateText(notAfter)}`,
    `        Subject: ${printable(nameText(subject))}`,
    '        Subject Public Key Info:',
    `            Public Key Algorithm: ${publicKey.asymmetricKeyType}`,
    `                Public-Key: (${modulusLength === undefined ? namedCurve : `${modulusLength} bit`})`,
    '        X509v3 extensions:',
    ...extensions.flatMap((extension) => [
      `            ${titleOf(extension.oid)}:${extension.critical ? ' critical' : ''}`,
      `                ${textFor(extension, extensions)}`,
    ]),
    '    Signature Value:',
    ...(signature.toString('hex').match(/.{1,36}/g) ?? []).map((line) => `        ${colons(line)}`),
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

function titleOf(oid: string): string {
  return titles[oid] ?? puppetNameOf(oid)
}

const uses: Readonly<Record<string, string>> = {
  digitalSignature: 'Digital Signature',
  keyEncipherment: 'Key Encipherment',
  keyCertSign: 'Certificate Sign',
  cRLSign: 'CRL Sign',
  [oids.serverAuth]: 'TLS Web Server Authentication',
  [oids.clientAuth]: 'TLS Web Client Authentication',
}

const usesText = (all: readonly string[]): string => all.map((use) => uses[use] ?? use).join(', ')

function textFor(extension: Extension, all: readonly Extension[]): string {
  const { oid, value } = extension
  switch (oid) {
    case oids.subjectAltName:
      return subjectAltNames(all).map(printable).join(', ')
    case oids.basicConstraints:
      return isAuthority(all) ? 'CA:TRUE' : 'CA:FALSE'
    case oids.keyUsage:
      return usesText(keyUsesOf(extension))
    case oids.extendedKeyUsage:
      return usesText(extendedKeyUsesOf(extension))
    case oids.subjectKeyIdentifier:
      return colons((subjectKeyIdentifierOf(all) ?? value).toString('hex'))
    case oids.authorityKeyIdentifier:
      return `keyid:${colons((authorityKeyIdentifierOf(all) ?? value).toString('hex'))}`
    default: {
      const isText = oid === oids.netscapeComment || Object.values(puppetArcs).some((arc) => isWithin(oid, arc))
      return isText ? printable(extensionText(extension)) : colons(value.toString('hex'))
    }
  }
}

function colons(hex: string): string {
  return hex.toUpperCase().replace(/..(?=.)/g, '$&:')
}

/** Formats a time such as `Nov 20 13:43:51 2031 GMT`. */
function dateText(date: Date): string {
  const [, day, month, year, time] = date.toUTCString().split(' ')
  return `${month} ${String(Number(day)).padStart(2)} ${time} ${year} GMT`
}
