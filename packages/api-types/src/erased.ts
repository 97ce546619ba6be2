/** Stands where the id of somebody stood whose data was erased: no person has such an id, and all who were erased share it. */
export const erasedPerson = '~'
