/** Puppet's providers of built-in types for other systems. A manifest can name them, but they are unsuitable here. */
const unsupportedProviders: Readonly<Record<string, string>> = {
  file: 'windows',
  group: 'aix directoryservice ldap pw',
  package: `aix appdmg apple aptitude aptrpm blastwave dnf dnfmodule fink freebsd gem hpux macports nim openbsd opkg
    pacman pip pip2 pip3 pkg pkgdmg pkgin pkgng pkgutil portage ports portupgrade puppet_gem puppetserver_gem rpm rug
    sun sunfreeware tdnf up2date urpmi yum zypper`,
  service: `bsd daemontools freebsd gentoo launchd openbsd openrc openwrt rcng redhat runit smf src upstart`,
  user: 'aix directoryservice hpuxuseradd ldap openbsd pw user_role_add',
}

/** True if Puppet has a provider of this name for the type on another system. */
export function isUnsupportedProvider(type: string, name: string): boolean {
  return unsupportedProviders[type]?.split(/\s+/).includes(name) ?? false
}
