import { createPrivateKey, type KeyObject } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { getSystemErrorCode } from '../../../base/system-error.ts'
import { failUnreadable, getKeyState, type KeyFile, readKeyBytes } from '../secrets/key-files.ts'

/** Private keys by path and state of their file, so that a replaced key file is read again. */
const known = new LRUCache<string, KeyObject>({ max: 50 })

/** Reads an RSA private key in PEM. Throws SECRET_KEY_UNREADABLE. */
export function readRsaKey(file: KeyFile): KeyObject {
  const id = `${file.real}:${getKeyState(file)}`
  const key = known.get(id) ?? parseKey(readKeyBytes(file), file)
  if (key.asymmetricKeyType !== 'rsa') return failUnreadable(file, 'it is not an RSA key')
  known.set(id, key)
  return key
}

function parseKey(bytes: Buffer, file: KeyFile): KeyObject {
  try {
    return createPrivateKey(bytes)
  } catch (error) {
    if (!getSystemErrorCode(error)?.startsWith('ERR_')) throw error
    return failUnreadable(file, 'it is not a PEM private key without a password')
  }
}
