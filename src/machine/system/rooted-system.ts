import { posix } from 'node:path'
import type { Commands, Files, System } from './system.ts'

/**
 * User and group files; if the root directory does not contain them, they are read from the
 * machine. Without them, owners have no names.
 */
const shared = ['/etc/passwd', '/etc/group']

/**
 * Maps all file paths into a root directory: `/etc/motd` becomes `<root>/etc/motd`. Programs are
 * those of the machine; only their working directory is mapped. With this system, a catalog can be
 * tried out, also by an unprivileged user.
 */
export function createRootedSystem(system: System, root: string): System {
  const toRootedPath = (path: string) => posix.join(root, path)
  return {
    files: createRootedFiles(system.files, toRootedPath),
    commands: createRootedCommands(system.commands, toRootedPath),
    now: system.now,
  }
}

function createRootedFiles(files: Files, at: (path: string) => string): Files {
  return {
    stat: (path) => files.stat(at(path)),
    readLink: (path) => files.readLink(at(path)),
    read: (path) => files.read(at(path)),
    async readText(path) {
      const own = await files.readText(at(path))
      return own === undefined && shared.includes(path) ? files.readText(path) : own
    },
    readParts: (path) => files.readParts(at(path)),
    readWithin: (path, most) => files.readWithin(at(path), most),
    list: (directory) => files.list(at(directory)),
    write: (path, content, mode, sync) => files.write(at(path), content, mode, sync),
    replace: (path, content, { stagingDirectory, ...rest }) =>
      files.replace(at(path), content, { ...rest, stagingDirectory: stagingDirectory && at(stagingDirectory) }),
    sync: (path) => files.sync(at(path)),
    makeDirectory: (path, mode) => files.makeDirectory(at(path), mode),
    link: (target, path) => files.link(target, at(path)),
    remove: (path) => files.remove(at(path)),
    rename: (from, to) => files.rename(at(from), at(to)),
    chmod: (path, mode) => files.chmod(at(path), mode),
    chown: (path, uid, gid) => files.chown(at(path), uid, gid),
  }
}

function createRootedCommands(commands: Commands, at: (path: string) => string): Commands {
  return {
    find: commands.find,
    run: (command, options) =>
      commands.run(command, options?.cwd === undefined ? options : { ...options, cwd: at(options.cwd) }),
  }
}
