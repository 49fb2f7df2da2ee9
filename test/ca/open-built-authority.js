const { CA_URL: url, CA_PASSFILE: passphraseFile } = process.env

/**
 * Opens an authority with the built product, for workers that are killed: the authority in a folder, or in the database
 * that CA_URL names.
 */
export async function openBuiltAuthority(root, cadir, { system, ...options }) {
  const load = (path) => import(`${root}/dist/${path}.js`)
  const { openAuthority } = await load('ca/local-authority')
  const { openAuthorityFolder } = await load('ca/storage/authority-folder')
  const { openAuthorityDatabase } = await load('store/authority/authority-database')
  const storage = url === undefined ? openAuthorityFolder(cadir, system) : await openAuthorityDatabase(url)
  return openAuthority({ storage, key: { command: [], passphraseFile, system }, ttl: 3600, system, ...options })
}
