/** The name of the format of backups, in their first line. */
export const backupFormat = 'plumb-store-backup'
