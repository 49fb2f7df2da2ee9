// The authority: nothing acknowledged is missing, serials and the revocation list are sound, the list of certificates is right.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseInventory } from '#built/ca/inventory.js'
import { parseCertificate } from '#built/ca/x509/certificate.js'
import { parseRevocationLists } from '#built/ca/x509/revocation-list.js'

/** Looks at its files, as a kill left them or a server has them. */
export function authorityOnDisk({ place, finding, certificates, remembered }) {
  const file = (name) => join(place.cadir, name)
  const text = (name) => readFileSync(file(name), 'utf8')
  const inventory = parseInventory(text('inventory.txt'))
  const known = new Map(inventory.map(({ serial, subject }) => [serial, subject]))
  if (known.size !== inventory.length) finding('The inventory has a serial twice')
  const next = BigInt(`0x${text('serial').trim()}`)
  for (const serial of known.keys()) if (serial >= next) finding(`The serial ${serial} is given again: next is ${next}`)

  const [list] = parseRevocationLists(text('ca_crl.pem'))
  const revoked = new Set([...list.revoked].map((serial) => BigInt(`0x${serial}`)))
  const number = revocationNumber(file)
  if (number === undefined) finding('openssl does not verify the revocation list')
  else if (number < remembered.listNumber)
    finding(`The revocation list went from ${remembered.listNumber} to ${number}`)
  else remembered.listNumber = number

  const fresh = []
  for (const wish of certificates.values()) {
    const { name, asked, told, pem } = wish
    const path = file(`signed/${name}.pem`)
    const serial = pem && parseCertificate(pem).serial
    if (serial !== undefined && known.get(serial) !== `/CN=${name}`) finding(`The inventory lacks ${name}`)
    const isRevoked = serial !== undefined && revoked.has(serial)
    if ((told === 'revoked' || told === 'cleaned') && !isRevoked) finding(`The revocation list lacks ${name}`)
    if ((asked === 'sent' || asked === 'signed') && isRevoked) finding(`${name} is revoked, and nobody asked for that`)
    if (told === 'cleaned' && existsSync(path)) finding(`The certificate of ${name} was removed, and is there`)
    if (pem === undefined || asked === 'cleaned') continue
    if (!existsSync(path)) finding(`The certificate of ${name} is missing`)
    else if (readFileSync(path, 'utf8') !== pem) finding(`The certificate of ${name} is another one`)
    else if (asked !== 'revoked' && !wish.isVerified) fresh.push(wish)
  }
  for (const each of readdirSync(file('signed')).filter((name) => name.endsWith('.pem'))) {
    const { serial } = parseCertificate(text(`signed/${each}`))
    if (known.get(serial) !== `/CN=${each.slice(0, -'.pem'.length)}`) finding(`signed/${each} is not in the inventory`)
  }
  verifyByOpenssl(file, fresh, finding)
}

/** The number of the list, when its signature is right. */
function revocationNumber(file) {
  const words = ['crl', '-in', file('ca_crl.pem'), '-noout', '-CAfile', file('ca_crt.pem'), '-crlnumber']
  const said = execFileSync('openssl', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  const [, number] = /crlNumber=0x([0-9A-F]+)/i.exec(said) ?? []
  return number === undefined ? undefined : Number.parseInt(number, 16)
}

function verifyByOpenssl(file, fresh, finding) {
  if (fresh.length === 0) return
  const paths = fresh.map(({ name }) => file(`signed/${name}.pem`))
  const lists = ['-CAfile', file('ca_crt.pem'), '-CRLfile', file('ca_crl.pem'), '-crl_check']
  try {
    execFileSync('openssl', ['verify', ...lists, ...paths], { stdio: 'pipe' })
    for (const wish of fresh) wish.isVerified = true
  } catch (error) {
    finding(`openssl verify: ${error.stderr}`)
  }
}

/** Looks at what the server says of it. */
export async function authorityServed({ place, asker, finding, certificates }) {
  const all = await asker.json('GET', '/puppet-ca/v1/certificate_statuses/all')
  const states = new Map(all.map((status) => [status.name, status]))
  if (states.size !== all.length) finding('The list of certificates has a name twice')
  for (const each of readdirSync(join(place.cadir, 'signed')).filter((name) => name.endsWith('.pem'))) {
    const name = each.slice(0, -'.pem'.length)
    const { serial } = parseCertificate(readFileSync(join(place.cadir, 'signed', each), 'utf8'))
    const listed = states.get(name)?.serial_number
    if (BigInt(listed ?? -1) !== serial)
      finding(`The list has the serial ${listed} for ${name}, whose file has ${serial}`)
  }
  for (const { name, asked, told } of certificates.values()) {
    const state = states.get(name)?.state
    if (!possibleStates(asked, told).includes(state))
      finding(`${name} is ${state}; asked ${asked}, acknowledged ${told}`)
  }
}

/** What a certificate may be: what was acknowledged, or what was asked for since. */
function possibleStates(asked, told) {
  if (told === 'cleaned') return [undefined]
  if (asked === 'cleaned') return ['signed', 'revoked', undefined]
  if (told === 'revoked') return ['revoked']
  if (asked === 'revoked') return ['signed', 'revoked']
  if (told === 'signed') return ['signed']
  return told === 'sent' ? ['requested', 'signed'] : ['requested', 'signed', undefined]
}
