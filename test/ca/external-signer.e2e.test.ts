import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createCommandSigner } from '../../src/ca/external-signer.ts'
import { openAuthority } from '../../src/ca/local-authority.ts'
import { importAuthority, setUpAuthority } from '../../src/ca/setup.ts'
import { openAuthorityFolder } from '../../src/ca/storage/authority-folder.ts'
import { toCertificatePem } from '../../src/ca/x509/certificate.ts'
import { generatePrivateKey, toPrivateKeyPem, toPublicKeyPem } from '../../src/ca/x509/keys.ts'
import { localSystem } from '../../src/machine/system/local-system.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { ec, requestFor, usualOptions } from './fixture.ts'
import { openssl } from './x509/openssl.ts'

const key = await generatePrivateKey(ec)
const honest = 'openssl dgst "-$PLUMB_CA_HASH" -sign "$FOLDER/key.pem" | base64'

/** A command that is a shell script, beside the key; `command` is its argv. */
function scriptOf(text: string): { readonly command: readonly string[]; replace(next: string): void } {
  const folder = scratchFolder('signer')
  const path = join(folder, 'sign')
  const replace = (next: string) => {
    writeFileSync(path, `#!/bin/sh\nFOLDER=${folder}\n${next}\n`)
    chmodSync(path, 0o755)
  }
  writeFileSync(join(folder, 'key.pem'), toPrivateKeyPem(key))
  replace(text)
  return { command: [path], replace }
}

async function authorityOf(command: readonly string[]) {
  const storage = openAuthorityFolder(join(scratchFolder('signed-outside'), 'ca'), localSystem, { isKeyless: true })
  const access = { command, passphraseFile: undefined, system: localSystem }
  const made = { name: 'Puppet CA: ca.test', key: ec, ttl: 5 * 365 * 86_400, system: localSystem }
  await expect(setUpAuthority({ ...made, storage, access })).rejects.toThrow('public key of the external signer')
  await setUpAuthority({ ...made, storage, access, publicKey: toPublicKeyPem(key) })
  return { storage, access, ca: await openAuthority({ ...usualOptions, storage, key: access }) }
}

it('signs certificates and lists, with a key that is in no file of the authority', async () => {
  const { storage, access, ca } = await authorityOf(scriptOf(honest).command)
  expect(await storage.exists()).toBe(true)
  expect(await storage.privateKey.read()).toBeUndefined()
  await ca.submit('a.test', await requestFor('a.test'))
  const leaf = toCertificatePem(await ca.sign('a.test'))
  const pem = (await ca.certificates()).pem
  const verify = async () =>
    openssl(
      'verify',
      '-crl_check',
      '-CAfile',
      { pem },
      '-CRLfile',
      { pem: (await ca.revocationLists()).pem },
      {
        pem: leaf,
      },
    )
  expect(await verify()).toContain('OK')
  await ca.revoke('a.test')
  await expect(verify()).rejects.toThrow('certificate revoked')
  const long = (await ca.revocationLists({ forEver: true })).pem
  expect(openssl('crl', '-noout', '-CAfile', { pem }, '-in', { pem: long })).toBe('')

  const again = openAuthorityFolder(join(scratchFolder('imported'), 'ca'), localSystem, { isKeyless: true })
  const parts = { certificates: pem, revocationLists: (await ca.revocationLists()).pem, privateKey: undefined }
  await importAuthority({ ...parts, storage: again, access, system: localSystem })
  expect(await again.exists()).toBe(true)
})

it.each([
  [
    'prints the signature of another key',
    'openssl ecparam -genkey -name prime256v1 -noout 2>/dev/null > "$FOLDER/other"; openssl dgst -sha256 -sign "$FOLDER/other" | base64',
    'does not match the public key of the CA certificate',
  ],
  [
    'signs something else',
    'echo else | openssl dgst -sha256 -sign "$FOLDER/key.pem" | base64',
    'does not match the public key of the CA certificate',
  ],
  ['prints bytes', 'openssl dgst -sha256 -sign "$FOLDER/key.pem"', 'its output is not base64'],
  ['prints nothing, and its reason', 'echo no token >&2', 'its output is not base64: no token'],
  ['fails', 'echo "the token\nis locked" >&2; exit 3', 'exit status 3: the token is locked'],
  ['prints without end', 'exec yes AAAA', 'its output is longer than 16384 bytes'],
  ['prints errors without end', 'exec yes AAAA >&2', 'its output is longer than 16384 bytes'],
])('accepts nothing of a command that %s, and goes on when it signs', async (_, text, message) => {
  const script = scriptOf(honest)
  const { ca, storage } = await authorityOf(script.command)
  await ca.submit('a.test', await requestFor('a.test'))
  script.replace(text)
  await expect(ca.sign('a.test')).rejects.toThrow(message)
  expect(await ca.certificate('a.test')).toBeUndefined()
  expect(await storage.inventory.has(2n)).toBe(false)
  script.replace(honest)
  expect((await ca.sign('a.test')).serial).toBe(3n)
})

it('ends a command that hangs, with its child processes', async () => {
  const { command } = scriptOf('sleep 600 & wait')
  // The time limit, ten seconds in the product, is the only difference.
  const run: typeof localSystem.commands.run = (words, options) =>
    localSystem.commands.run(words, { ...options, timeout: 0.2 })
  await expect(createCommandSigner(key, command, { run }).sign(Buffer.from('x'))).rejects.toThrow('it took longer than')
})

it('says which command cannot be started', async () => {
  const signer = createCommandSigner(key, ['/nowhere/sign'], localSystem.commands)
  await expect(signer.sign(Buffer.from('x'))).rejects.toThrow("The command '/nowhere/sign' in ca_signer could not sign")
})
