/**
 * Where other layers shape what this stand-in reads or writes differently from layer 198. Fields that are never written here
 * are left out of what is only written: an absent optional field takes no room on the wire.
 */
export const layerChanges: readonly { readonly since: number; readonly until: number; readonly tl: string }[] = []
