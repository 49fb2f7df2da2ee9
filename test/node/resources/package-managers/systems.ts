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
