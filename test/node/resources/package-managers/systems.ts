/** Facts of the systems whose package managers are compared. */
const systemOf = (family: string, name: string, major: string, full: string) => ({
  osfamily: family,
  operatingsystem: name,
  operatingsystemmajrelease: major,
  os: { family, name, release: { major, full } },
})

/** A system with dnf. */
export const redHat = systemOf('RedHat', 'Rocky', '9', '9.4')

/** A system with zypper. */
export const suse = systemOf('Suse', 'SLES', '15', '15.5')

/** A system with pacman. */
export const arch = systemOf('Archlinux', 'Archlinux', 'rolling', 'rolling')

/** A system with apk. */
export const alpine = systemOf('Alpine', 'Alpine', '3', '3.21.0')

/** A script that installs packages of the repository of dnf and zypper, each given by the start of its file name. */
export function installRpms(...names: readonly string[]): string {
  return `rpm -i ${names.map((name) => `/srv/rpm/${name}*.rpm`).join(' ')} 2>/dev/null`
}
