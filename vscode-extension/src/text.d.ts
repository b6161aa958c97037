// Programs that esbuild puts into the bundle as text.
declare module '*.cuf' {
  const text: string;
  export default text;
}
