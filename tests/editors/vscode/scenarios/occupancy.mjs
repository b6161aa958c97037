export const scenario = { name: 'occupancy', async run() {} };
