/**
 * The names of parts of a structure as the contract bounds them. The schemas of the API and the readers of the command line are
 * made of these, so that neither refuses what the other takes.
 */

/** A component id of the dictionary. Structures that no archive has, such as predicted ones, have other names as well. */
export const COMPONENT_ID = /^[A-Za-z0-9]{1,8}$/;

/** The most characters of the name of a component, of an author chain id and of an insertion code. */
export const [COMPONENT_CHARACTERS, CHAIN_CHARACTERS, INSERTION_CODE_CHARACTERS] = [8, 16, 4] as const;

/** The author numbers that a residue can have. */
export const [LEAST_RESIDUE, MOST_RESIDUE] = [-9999, 99_999] as const;
