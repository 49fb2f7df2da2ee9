/** Errors of WASI preview 1 that a read-only world can give. */
export const errno = {
  success: 0,
  badf: 8,
  inval: 28,
  isdir: 31,
  noent: 44,
  notdir: 54,
  notsup: 58,
  rofs: 69,
  spipe: 70,
} as const
