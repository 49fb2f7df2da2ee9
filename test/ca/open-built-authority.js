/** Opens the authority in a folder with the built product, for workers that are killed. */
export async function openBuiltAuthority(root, cadir, { system, ...options }) {
  const load = (path) => import(`${root}/dist/${path}.js`)
  const { openAuthority } = await load('ca/local-authority')
  const { openAuthorityFolder } = await load('ca/storage/authority-folder')
  const { plainKeyAccess } = await load('ca/issuer')
  const storage = openAuthorityFolder(cadir, system)
  return openAuthority({ storage, key: plainKeyAccess(system), ttl: 3600, system, ...options })
}
